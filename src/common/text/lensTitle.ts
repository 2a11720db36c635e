// With a plain space the icon touches the words.
const gap = '\u00a0';

/** The title of a lens: a codicon by its name, such as `play`, and words behind it. */
export function lensTitle(icon: string, words: string): string {
  return `$(${icon})${gap}${words}`;
}
