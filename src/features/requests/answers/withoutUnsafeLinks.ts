import { isLoopback } from '../../../client/transport/parsedBaseUrl';
import { withoutEnd } from '../../../shared/trim';

/** An address with nothing in it that Markdown reads as something else, such as code, which it reads before links; one level of parentheses. */
const plainTarget = String.raw`(?:[^\s()<>\\"\x60]|\([^\s()<>\\"\x60]*\))*`;
const email = String.raw`(?<=[^\s\\])@(?=[\w-]+\.)`;
/** Where a link may begin: an inline one, the definition of one, and what viewers make one by themselves. */
const beginnings = new RegExp(String.raw`\]\((${plainTarget})\)|\]([(:])|(https?|ftp):(?=\/\/([^\s/?#]*[/?#]?))|www(?=\.)|${email}`, 'gi');

/**
 * A line of Markdown that makes no links but to https, and to http on this machine; not with a title or a user name, which serve to hide
 * where they lead. The others become text, with their target as it stands.
 */
export function withoutUnsafeLinks(line: string): string {
  return line.replace(beginnings, (found: string, target?: string, bracket?: string, scheme?: string, rest = '') => {
    if (target !== undefined) {
      // What is no link is looked at again, for the addresses in it.
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

/** Viewers leave what ends a sentence out of an address that stands in it. */
function withoutSentenceEnd(address: string): string {
  return withoutEnd(address, '.,:;!?)\'"');
}
