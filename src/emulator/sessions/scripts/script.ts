import type { Line } from '../line';

/** Behaviour of an agent when a message starts with `word`. */
export interface Script {
  readonly word: string;
  /** Arguments after the word, as shown to people. */
  readonly takes?: string;
  readonly what: string;
  readonly run: (line: Line, request: ScriptRequest) => Promise<void>;
}

export interface ScriptRequest {
  /** Text after the trigger word. */
  readonly rest: string;
  readonly scripts: readonly Script[];
}

/** Returns the n-th number in a text, or `usual`, limited to `most`. */
export function numberIn(text: string, n: number, usual: number, most: number): number {
  const found = text.match(/\d+(?:\.\d+)?/g)?.[n];
  return found === undefined ? usual : Math.min(Number(found), most);
}
