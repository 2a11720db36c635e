/** Returns a text without trailing `characters`, in linear time. A pattern such as `/a+$/` would be quadratic. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) {
    end--;
  }
  return text.slice(0, end);
}

export function withoutEnds(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) {
    start++;
  }
  return withoutEnd(text.slice(start), characters);
}
