/** Parsed prompt file of the user. */
export interface PromptSource {
  /** Purpose in one line. '' if the file has none. */
  readonly detail: string;
  /** Text without the front matter. */
  readonly text: string;
}

/** Parses a prompt. Its purpose is the `description` in the front matter, else the first heading. Never throws. */
export function readPromptSource(source: string): PromptSource {
  const lines = source.replace(/^\ufeff/, '').split(/\r?\n/);
  const end = lines[0]?.trimEnd() === '---' ? lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---') : -1;
  const front = lines.slice(1, Math.max(1, end));
  const body = lines.slice(end + 1);
  const described = front.find(line => line.startsWith('description:'))?.slice('description:'.length) ?? '';
  const heading = body.find(line => /^#{1,6} /.test(line))?.replace(/^#+ /, '') ?? '';
  return { detail: withoutQuotes(described.trim()) || heading.trim(), text: body.join('\n').trim() };
}

function withoutQuotes(text: string): string {
  const [first, last] = [text.at(0), text.at(-1)];
  return text.length > 1 && first === last && (first === '"' || first === "'") ? text.slice(1, -1) : text;
}
