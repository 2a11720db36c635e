import { toLabel, toVisibleText } from '../../text';

/** Returns text in a fence that nothing inside can close. Escapes characters that hide or reorder text. */
export function toFence(text: string, language = ''): string {
  const shown = toVisibleText(text.replace(/\r\n?/g, '\n'));
  let longest = 2;
  for (const [run] of shown.matchAll(/`{3,}/g)) {
    longest = Math.max(longest, run.length);
  }
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${shown}${shown.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** Returns one line in which no character has a meaning in Markdown or HTML. */
export function toPlainLine(text: string, limit?: number): string {
  return toLabel(text, limit).replace(/[\\`*_[\]<>&~|$]/g, character => entities[character] ?? `\\${character}`);
}

/**
 * Returns a message's own Markdown as a block quote. The Markdown can't leave the quote, create HTML or load images. An unclosed fence ends
 * with the quote. If only some viewers treat a line as a fence, no later line counts as code. `guard` also changes each line that is not
 * code.
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

const entities: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' };

/**
 * Returns the characters that open a fence at the very start of a line. Ignores an indented fence, because it may be in a list. The end of
 * the list would end the fence, but a single line doesn't show the list.
 */
function openingFence(line: string): string | undefined {
  return /^(?:(`{3,})[^`]*|(~{3,})(?:[^~].*)?)$/s
    .exec(line)
    ?.slice(1)
    .find(run => run !== undefined);
}

/** Returns whether a line may open a fence after an indent, list marker or quote marker. */
function mayOpenFence(line: string): boolean {
  return /^[\s>*+\-\d.)]*(?:`{3}|~{3})/.test(line);
}

function isClosingFence(line: string, fence: string): boolean {
  const run = /^ {0,3}(`{3,}|~{3,}) *$/.exec(line)?.[1];
  return run !== undefined && run[0] === fence[0] && run.length >= fence.length;
}

/** Returns whether a line may close a fence. Some viewers allow other characters after the closing fence. */
function mayCloseFence(line: string, fence: string): boolean {
  return line.trimStart().startsWith(fence);
}

function withoutHtml(line: string): string {
  return line.replace(/<(?=[A-Za-z/!?])/g, '&lt;').replace(/!\[/g, '!\\[');
}
