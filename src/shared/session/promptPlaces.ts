/** A place of a prompt that is to be filled in, as it stands in a text. */
export interface PromptPlace {
  readonly start: number;
  readonly end: number;
}

/** The places of a prompt that are to be filled in: words in double braces, as in templates of requests. */
export function placesOf(text: string): readonly PromptPlace[] {
  return [...text.matchAll(/\{\{[^{}\n]{1,60}\}\}/g)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
}
