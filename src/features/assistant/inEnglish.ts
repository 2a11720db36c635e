import { formatText } from '../../contract/problem';

/** Fills the placeholders of a sentence without translating it. Models receive only English, whatever the user's language is. */
export function inEnglish(template: string, ...args: readonly (string | number)[]): string {
  return formatText({ template, args });
}
