import type { Line } from '../line';

/** What an agent does when a message begins with `word`. */
export interface Script {
  readonly word: string;
  /** What may follow the word, as shown to people. */
  readonly takes?: string;
  /** What happens, in a few words. */
  readonly what: string;
  readonly run: (line: Line, request: ScriptRequest) => Promise<void>;
}

export interface ScriptRequest {
  /** The whole message. */
  readonly text: string;
  /** What follows the trigger word. */
  readonly rest: string;
  /** Every script there is. */
  readonly scripts: readonly Script[];
}

/** The n-th number in a text, or what is usual, within bounds. */
export function numberIn(text: string, n: number, usual: number, most: number): number {
  const found = text.match(/\d+(?:\.\d+)?/g)?.[n];
  return found === undefined ? usual : Math.min(Number(found), most);
}
