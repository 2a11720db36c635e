import { readFileSync } from 'node:fs';

const bundle: Readonly<Record<string, string>> = JSON.parse(readFileSync('l10n/bundle.l10n.json', 'utf8'));

/**
 * Replaces `vscode.l10n.t` in tests. Returns the English text with its placeholders filled. Throws if the bundle lacks the text, because
 * such a text is never translated.
 */
export function fillPlaceholders(message: string, ...args: (string | number)[]): string {
  if (/\p{L}/u.test(message.replace(/\{\d\}/g, '')) && bundle[message] === undefined) {
    throw new Error(`The bundle of translations does not have "${message}": npm run l10n`);
  }
  return message.replace(/\{(\d+)\}/g, (place, index) => String(args[Number(index)] ?? place));
}

/** `PresentationContext` with English texts. */
export const english = { translate: fillPlaceholders, locale: 'en' };
