// Lines can be megabytes long, and an answer further right than this is not on screen.
const looked = 200;

/**
 * The column of a request's line at which its answer stands: behind the id when the request begins with it, so that the answer of a line
 * of any length is on screen, and else before the request.
 */
export function answerColumn(text: string): number {
  const [lead] = /^\s*\{\s*"custom_id"\s*:\s*"(?:[^"\\]|\\.)*"/.exec(text.slice(0, looked)) ?? [];
  return lead?.length ?? 0;
}
