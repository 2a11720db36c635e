/**
 * A text without those of `characters` that it ends with. Reads only what goes; a pattern that ends in `+$` reads every run in the
 * middle again from each of its characters.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) {
    end--;
  }
  return text.slice(0, end);
}

/** A text without those of `characters` that it begins or ends with. */
export function withoutEnds(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) {
    start++;
  }
  return withoutEnd(text.slice(start), characters);
}
