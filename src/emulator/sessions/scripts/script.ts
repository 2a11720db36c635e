import type { Line } from '../line';

/** Behaviour of an agent when a message starts with `word`. */
export interface Script {
  readonly word: string;
  /** Arguments after the word, as shown to people. */
  readonly takes?: string;
  readonly what: string;
  /** `rest` is the text after the word. */
  readonly run: (line: Line, rest: string) => Promise<void>;
}

/** Returns the n-th number in a text, or `usual`, limited to `most`. */
export function numberIn(text: string, n: number, usual: number, most: number): number {
  const found = text.match(/\d+(?:\.\d+)?/g)?.[n];
  return found === undefined ? usual : Math.min(Number(found), most);
}
