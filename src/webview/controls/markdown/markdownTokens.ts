import MarkdownIt, { type Token } from 'markdown-it';

/**
 * Maximum length of text that is parsed as Markdown, in characters. Nobody reads a longer text as a document, and parsing it would take
 * noticeable time.
 */
export const longestMarkdown = 60_000;

/** Treats raw HTML as text, doesn't link bare addresses, and leaves every link target for the renderer to check. */
const parser = new MarkdownIt({ html: false, linkify: false, typographer: false, breaks: true, maxNesting: 20 });
parser.validateLink = () => true;

/** Parses Markdown to tokens. Returns `undefined` for text to be shown as plain text. */
export function readMarkdown(text: string): readonly Token[] | undefined {
  return text.length > longestMarkdown ? undefined : parser.parse(text, {});
}

/**
 * Returns whether a target may be shown as a link: a web address with a host and without a password. The host of the panel asks before it
 * opens a link.
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
