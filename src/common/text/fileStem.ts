import { withoutEnds } from '../../shared/trim';

/** UTF-8 bytes: file systems take 255 for a name, with its ending and what is put behind it while it is written. */
const mostBytes = 200;
const mostCharacters = 80;
/** Names that Windows keeps for devices, whatever their ending; the digits also as superscripts. */
const reserved = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$|clock\$) *(?:\.|$)/i;

/**
 * The begin of a file name out of a text that comes from a service: nothing of it leads to another folder, hides, is longer than a
 * name may be, or is a name that a system keeps for itself. Empty when nothing of the text can stand in a name.
 */
export function toFileStem(text: string): string {
  const plain = text
    .normalize('NFC')
    // Separators and what some system forbids; then what cannot be seen or turns the direction of text.
    .replace(/[/\\:*?"<>|%]+/g, '-')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}]+/gu, '')
    .replace(/\s+/g, ' ');
  // A dot at the begin hides a file; Windows drops dots and spaces at the end.
  const stem = withoutEnds(cut(plain), '. -');
  return reserved.test(stem) ? `_${stem}` : stem;
}

function cut(text: string): string {
  let bytes = 0;
  let short = '';
  for (const character of Array.from(text.slice(0, mostCharacters * 2)).slice(0, mostCharacters)) {
    bytes += Buffer.byteLength(character);
    if (bytes > mostBytes) {
      break;
    }
    short += character;
  }
  return short;
}
