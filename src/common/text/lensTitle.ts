// Non-breaking space. With a plain space, the icon would touch the words.
const gap = '\u00a0';

/** Returns the title of a code lens: a codicon, such as `play`, followed by words. */
export function lensTitle(icon: string, words: string): string {
  return `$(${icon})${gap}${words}`;
}
