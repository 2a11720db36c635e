import { readFileSync } from 'node:fs';

const bundle: Readonly<Record<string, string>> = JSON.parse(readFileSync('l10n/bundle.l10n.json', 'utf8'));

/**
 * Replaces `vscode.l10n.t` in tests: English, with the placeholders filled. Throws for a text that the bundle lacks, because it would never
 * be translated.
 */
export function fillPlaceholders(message: string, ...args: (string | number)[]): string {
  if (/\p{L}/u.test(message.replace(/\{\d\}/g, '')) && bundle[message] === undefined) {
    throw new Error(`The bundle of translations does not have "${message}": npm run l10n`);
  }
  return message.replace(/\{(\d+)\}/g, (place, index) => String(args[Number(index)] ?? place));
}

/** English `PresentationContext`. */
export const english = { translate: fillPlaceholders, locale: 'en' };
