import type { WantedLine } from './lineSearch';

/** One line of a file, as a job is asked for it. Without text and id it is the line of that number. */
export interface WantedFileLine {
  readonly path: string;
  readonly wanted: WantedLine;
}

export interface FoundLine {
  /** From 0. */
  readonly line: number;
  /** Without line break. */
  readonly text: string;
}

/** A line to write into a file that no editor has open. */
export interface LineWriting {
  readonly path: string;
  /** The line to replace, which must still have its text somewhere in the file; `end` adds one. */
  readonly place: WantedLine | 'end';
  /** One line, without line break. */
  readonly text: string;
}
