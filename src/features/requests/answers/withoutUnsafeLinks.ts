import { isLoopback } from '../../../client/transport/parsedBaseUrl';
import { withoutEnd } from '../../../shared/trim';

/** An address with nothing in it that Markdown reads as something else; one level of parentheses. */
const plainTarget = String.raw`(?:[^\s()<>\\"]|\([^\s()<>\\"]*\))*`;
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
      return isAllowed(`${scheme}://${rest}`) ? found : `${scheme}\\:`;
    }
    return found === '@' ? '\\@' : `${found}\\`;
  });
}

function isAllowed(target: string): boolean {
  const [, scheme = '', authority = '', rest = ''] = /^(https?):\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  // Viewers leave what ends a sentence out of an address.
  const host = rest === '' ? withoutEnd(authority, '.,:;!?)\'"') : authority;
  const name = /^([\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.exec(host)?.[1]?.toLowerCase();
  return name !== undefined && (scheme.toLowerCase() === 'https' || (scheme.toLowerCase() === 'http' && isLoopback(name)));
}
