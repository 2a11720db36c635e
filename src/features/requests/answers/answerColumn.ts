// Maximum number of characters of a line to search. Lines can have megabytes, and an answer further to the right is off screen.
const looked = 200;

/**
 * Returns the column at which to show the answer of a request line: after the id if the line starts with it, otherwise 0. This keeps the
 * answer of long lines on screen.
 */
export function answerColumn(text: string): number {
  const [lead] = /^\s*\{\s*"custom_id"\s*:\s*"(?:[^"\\]|\\.)*"/.exec(text.slice(0, looked)) ?? [];
  return lead?.length ?? 0;
}
