/** A placeholder of a prompt, by offsets in a text. */
export interface PromptPlaceholder {
  readonly start: number;
  readonly end: number;
}

/** Returns the placeholders of a prompt: words in double braces, as in request templates. */
export function placeholdersOf(text: string): readonly PromptPlaceholder[] {
  return [...text.matchAll(/\{\{[^{}\n]{1,60}\}\}/g)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
}
