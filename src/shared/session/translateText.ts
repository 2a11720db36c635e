import type { Translations } from './sessionProtocol';

/** Puts a text of the interface into the user's language; `{0}` and so on stand for the arguments. */
export type Translate = (text: string, ...args: readonly (string | number)[]) => string;

/** A text of the interface in the user's language, or as it is; `{0}` and so on stand for the arguments. */
export function translate(translations: Translations | undefined, text: string, args: readonly (string | number)[]): string {
  const known = translations !== undefined && Object.hasOwn(translations, text) ? translations[text] : undefined;
  return (known ?? text).replace(/\{(\d+)\}/g, (place, number: string) => String(args[Number(number)] ?? place));
}
