// Non-breaking: with a plain space the icon touches the words.
const gap = '\u00a0';

/** Returns the title of a code lens: a codicon, such as `play`, followed by words. */
export function lensTitle(icon: string, words: string): string {
  return `$(${icon})${gap}${words}`;
}
