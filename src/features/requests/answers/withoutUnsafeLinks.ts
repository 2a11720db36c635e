import { isLoopback } from '../../../client/transport/parsedBaseUrl';
import { withoutEnd } from '../../../shared/trim';

/**
 * Pattern of a URL without characters that have a meaning in Markdown, such as code, which takes precedence over links. Allows one level of
 * parentheses.
 */
const plainTarget = String.raw`(?:[^\s()<>\\"\x60]|\([^\s()<>\\"\x60]*\))*`;
const email = String.raw`(?<=[^\s\\])@(?=[\w-]+\.)`;
/** Pattern of the start of a link: inline, a definition, or one that viewers detect. */
const beginnings = new RegExp(String.raw`\]\((${plainTarget})\)|\]([(:])|(https?|ftp):(?=\/\/([^\s/?#]*[/?#]?))|www(?=\.)|${email}`, 'gi');

/**
 * Returns a line of Markdown that only links to https, or to http on this machine, without titles or user names, which can hide the target.
 * Other links become text with their target.
 */
export function withoutUnsafeLinks(line: string): string {
  return line.replace(beginnings, (found: string, target?: string, bracket?: string, scheme?: string, rest = '') => {
    if (target !== undefined) {
      // The target that is not a link may contain URLs.
      return isAllowed(target) ? found : `]\\(${withoutUnsafeLinks(target)})`;
    }
    if (bracket !== undefined) {
      return `]\\${bracket}`;
    }
    if (scheme !== undefined) {
      return isAllowed(withoutSentenceEnd(`${scheme}://${rest}`)) ? found : `${scheme}\\:`;
    }
    return found === '@' ? '\\@' : `${found}\\`;
  });
}

function isAllowed(target: string): boolean {
  const [, scheme = '', authority = ''] = /^(https?):\/\/([^/?#]*)/i.exec(target) ?? [];
  const name = /^([\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.exec(authority)?.[1]?.toLowerCase();
  return name !== undefined && (scheme.toLowerCase() === 'https' || (scheme.toLowerCase() === 'http' && isLoopback(name)));
}

/** Returns a URL without the punctuation at the end of a sentence, which viewers also exclude. */
function withoutSentenceEnd(address: string): string {
  return withoutEnd(address, '.,:;!?)\'"');
}
