import { withoutEnds } from '../../shared/trim';

/** Maximum length in bytes of UTF-8. File systems allow 255 for a name, including its extension and the suffix of a temporary file. */
const maxBytes = 200;
const maxCharacters = 80;
/** Names that Windows reserves for devices, with any extension. The digits can be superscripts. */
const reserved = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$|clock\$) *(?:\.|$)/i;

/**
 * Returns a safe file name without extension for a text from a service. The name contains no path separators, is not hidden, not too long
 * and not a reserved name. Returns an empty text if no character is allowed.
 */
export function toFileStem(text: string): string {
  const plain = text
    .normalize('NFC')
    // Replaces separators and forbidden characters, then invisible and bidirectional characters.
    .replace(/[/\\:*?"<>|%]+/g, '-')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}]+/gu, '')
    .replace(/\s+/g, ' ');
  // A leading dot hides a file. Windows drops trailing dots and spaces.
  const stem = withoutEnds(cut(plain), '. -');
  return reserved.test(stem) ? `_${stem}` : stem;
}

function cut(text: string): string {
  let bytes = 0;
  let short = '';
  for (const character of Array.from(text.slice(0, maxCharacters * 2)).slice(0, maxCharacters)) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) {
      break;
    }
    short += character;
  }
  return short;
}
