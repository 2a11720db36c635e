import { readFileSync } from 'node:fs';

const english: Readonly<Record<string, string>> = JSON.parse(readFileSync('l10n/bundle.l10n.json', 'utf8'));

/**
 * Stands for `vscode.l10n.t` in tests: English, with its places filled. What the bundle lacks would be shown in English whatever
 * the language, so it is refused.
 */
export function fillPlaces(message: string, ...args: (string | number)[]): string {
  if (/\p{L}/u.test(message.replace(/\{\d\}/g, '')) && english[message] === undefined) {
    throw new Error(`The bundle of translations does not have "${message}": npm run l10n`);
  }
  return message.replace(/\{(\d+)\}/g, (place, index) => String(args[Number(index)] ?? place));
}
