import type { Line } from '../line';

/** Behaviours of an agent, keyed by the word that a message starts with. */
export type Scripts = Readonly<Record<string, Script>>;

export interface Script {
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
