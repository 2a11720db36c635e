import { toLabel, toVisibleText } from '../../text';

/**
 * Text in a fence that nothing inside can close: longer than any run of its own character. What could hide or turn something is
 * shown as escapes.
 */
export function toFence(text: string, language = ''): string {
  const shown = toVisibleText(text.replace(/\r\n?/g, '\n'));
  let longest = 2;
  for (const [run] of shown.matchAll(/`{3,}/g)) {
    longest = Math.max(longest, run.length);
  }
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${shown}${shown.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** One line that stands for itself inside a line of Markdown: nothing in it means anything to Markdown or HTML. */
export function toPlainLine(text: string, limit?: number): string {
  return toLabel(text, limit).replace(/[\\`*_[\]<>&~|$]/g, character => entities.get(character) ?? `\\${character}`);
}

/**
 * A message's own Markdown inside a block quote, where it can neither close the quote nor pass for a part of the document. It
 * makes no HTML and loads no image; a fence it leaves open ends with it. Once it cannot be told for every viewer whether a fence
 * is open, no line passes for code any more. `guard` changes further what passes for no code, line by line.
 */
export function toQuotedMarkdown(text: string, guard: (line: string) => string = line => line): string {
  const lines: string[] = [];
  let fence: string | undefined;
  let isSure = true;
  for (const line of toVisibleText(text.replace(/\r\n?/g, '\n')).split('\n')) {
    const run = fence === undefined ? openingFence(line) : undefined;
    const isEnd = fence !== undefined && isClosingFence(line, fence);
    isSure &&= fence === undefined ? run !== undefined || !mayOpenFence(line) : isEnd || !mayCloseFence(line, fence);
    lines.push(isSure && (fence ?? run) !== undefined ? line : guard(withoutHtml(line)));
    fence = isEnd ? undefined : (fence ?? run);
  }
  if (isSure && fence !== undefined) {
    lines.push(fence);
  }
  return `${lines.map(line => (line === '' ? '>' : `> ${line}`)).join('\n')}\n`;
}

const entities: ReadonlyMap<string, string> = new Map([
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['&', '&amp;'],
]);

/**
 * The run that opens a fence. Only at the very start of a line: an indented one may stand in a list, whose end would end it
 * where we do not see it.
 */
function openingFence(line: string): string | undefined {
  return /^(?:(`{3,})[^`]*|(~{3,})(?:[^~].*)?)$/s
    .exec(line)
    ?.slice(1)
    .find(run => run !== undefined);
}

/** Behind an indent, or what begins a list or a quote. */
function mayOpenFence(line: string): boolean {
  return /^[\s>*+\-\d.)]*(?:`{3}|~{3})/.test(line);
}

function isClosingFence(line: string, fence: string): boolean {
  const run = /^ {0,3}(`{3,}|~{3,}) *$/.exec(line)?.[1];
  return run !== undefined && run[0] === fence[0] && run.length >= fence.length;
}

/** Some viewers let a fence end with more than its own characters behind it. */
function mayCloseFence(line: string, fence: string): boolean {
  return line.trimStart().startsWith(fence);
}

/** A line in which no tag, comment or autolink can begin, and no image. */
function withoutHtml(line: string): string {
  return line.replace(/<(?=[A-Za-z/!?])/g, '&lt;').replace(/!\[/g, '!\\[');
}
