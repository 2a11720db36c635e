import { ownValue } from '../isRecord';

/** Translated interface texts, keyed by the English text. Needed because a webview has no `vscode.l10n`. */
type Translations = Readonly<Record<string, string>>;

/** Translates an interface text. `{0}` and so on are placeholders for the arguments. */
export type Translate = (text: string, ...args: readonly (string | number)[]) => string;

/** Returns the translation of an interface text, or the text itself. `{0}` and so on are placeholders for the arguments. */
export function translate(translations: Translations | undefined, text: string, args: readonly (string | number)[]): string {
  return (ownValue(translations ?? {}, text) ?? text).replace(/\{(\d+)\}/g, (placeholder, number: string) =>
    String(args[Number(number)] ?? placeholder),
  );
}

/** Returns an interface text in English, for documents and models. */
export const inEnglish: Translate = (text, ...args) => translate(undefined, text, args);
