import type { WantedLine } from './lineSearch';

/** Line to find in a file. The line is found by its text or id, or by its number if both are missing. */
export interface WantedFileLine {
  readonly path: string;
  readonly wanted: WantedLine;
}

export interface FoundLine {
  /** 0-based line number. */
  readonly line: number;
  readonly text: string;
}

/** Line to write into a file that is not open in an editor. */
export interface LineWriting {
  readonly path: string;
  /** Line to replace, which must still be in the file with its text. `end` adds a line. */
  readonly position: WantedLine | 'end';
  /** Text of one line, without line break. */
  readonly text: string;
}
