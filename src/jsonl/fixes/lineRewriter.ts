import type { Severity } from '../../contract/problem';
import type { CheckedLine, LineKind } from '../checking/requestRules';
import type { EditReport } from './edits/fieldEdit';
import type { FixKind } from './fixKinds';

/** One line of a file or a document that is written anew; valid only during the call it is given to. */
export interface SourceLine {
  /** Counts from 0. */
  readonly line: number;
  readonly kind: LineKind;
  /** Rule and severity of each problem of the line alone. */
  readonly noted: readonly { readonly rule: string; readonly severity: Severity }[];
  /** False for bytes that are not UTF-8, and for lines that are too long to look into: they stay as they are. */
  readonly canChange: boolean;
  /** No line end follows. */
  readonly isUnended: boolean;
  /** The same with places and texts. */
  checked(): CheckedLine;
  /** Without its line end. */
  text(): string;
  /** The given id, when it is a string. */
  customId(): string | undefined;
  /** When it is a string. */
  model(): string | undefined;
}

/** Writes lines anew, with a look at all of them first. Both calls come once for each line, in order. */
export interface LineRewriter {
  survey(line: SourceLine): void;
  /** The lines in the place of this one, none when it goes; undefined leaves it as it stands. */
  rewrite(line: SourceLine): readonly string[] | undefined;
  /** What was done, once every line was rewritten. */
  summary(): RewriteSummary;
}

/** What writing a file or a document anew comes to. */
export interface RewriteSummary {
  /** Lines of the source that change or go. */
  readonly changedLines: number;
  /** By kind, the number of lines that it changes. */
  readonly fixes: readonly (readonly [kind: FixKind, lines: number])[];
  /** Errors and warnings that stay, of single lines and of doubled ids. */
  readonly problemsLeft: number;
  /** Requests, bare ones included, and those of them that have no id. */
  readonly requests: number;
  readonly withoutId: number;
  /** Of a change made in many requests. */
  readonly edited?: EditReport;
  /** Fields that were removed from requests, as JSON Lines: one object for each request, with its `custom_id`. */
  readonly movedFields?: string;
}
