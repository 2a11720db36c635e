import { formatText } from '../../contract/problem';

/** Fills the places of a sentence: models are told everything in one language, whatever the person's is. */
export function inEnglish(template: string, ...args: readonly (string | number)[]): string {
  return formatText({ template, args });
}
