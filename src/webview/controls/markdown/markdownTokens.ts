import MarkdownIt, { type Token } from 'markdown-it';

/**
 * Maximum length of text that is parsed as Markdown, in characters. Nobody reads a longer one as a document, and parsing it would take
 * noticeable time.
 */
export const longestMarkdown = 60_000;

/** Treats raw HTML as text, doesn't link bare addresses, and leaves every link target for the renderer to check. */
const parser = new MarkdownIt({ html: false, linkify: false, typographer: false, breaks: true, maxNesting: 20 });
parser.validateLink = () => true;

/** Parses Markdown to tokens. Returns `undefined` for text to be shown as plain text. */
export function readMarkdown(text: string): readonly Token[] | undefined {
  if (text.length > longestMarkdown) {
    return undefined;
  }
  const tokens = parser.parse(text, {});
  markTasks(tokens);
  return tokens;
}

/** Marks list items that begin with `[ ]` or `[x]` as tasks: sets `meta.isDone` and removes the mark from the text. */
function markTasks(tokens: readonly Token[]): void {
  for (const [index, item] of tokens.entries()) {
    const words = item.type === 'list_item_open' ? tokens[index + 2]?.children?.[0] : undefined;
    const mark = words?.type === 'text' ? /^\[([ xX])\] /.exec(words.content) : null;
    if (words !== undefined && mark !== null) {
      words.content = words.content.slice(mark[0].length);
      item.meta = { isDone: mark[1] !== ' ' };
    }
  }
}

/**
 * Returns whether a target may be shown as a link: a web address with a host and without a password. The host of the panel asks before it
 * opens one.
 */
export function isWebAddress(target: string): boolean {
  const parsed = URL.canParse(target) ? new URL(target) : undefined;
  return (
    parsed !== undefined &&
    /^https?:\/\//i.test(target) &&
    (parsed.protocol === 'https:' || parsed.protocol === 'http:') &&
    parsed.hostname !== '' &&
    parsed.username === '' &&
    parsed.password === ''
  );
}
