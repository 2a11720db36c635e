import type { Severity } from '../../contract/problem';
import type { QuickLine } from '../checking/quickLineCheck';
import type { CheckedLine, LineKind } from '../checking/requestRules';
import type { EditReport } from './edits/fieldEdit';
import type { FixKind } from './fixKinds';

/** Line of a file or document that is being rewritten. Valid only during the call that receives the line. */
export interface SourceLine {
  /** 0-based line number. */
  readonly line: number;
  readonly kind: LineKind;
  /** Rule and severity of each problem in the line alone. */
  readonly noted: readonly { readonly rule: string; readonly severity: Severity }[];
  /** False for lines that are not UTF-8 or too long to check. Such lines stay unchanged. */
  readonly canChange: boolean;
  /** True if no line end follows. */
  readonly isUnended: boolean;
  checked(): CheckedLine;
  /** Returns the text without its line end. */
  text(): string;
  /** Returns the given id if it is a string. */
  customId(): string | undefined;
  model(): string | undefined;
}

/** Returns the source line for a text. `known` has the findings of a quick check. `checked` checks the line by the rules. */
export function toSourceLine(
  text: string,
  line: number,
  known: Pick<QuickLine, 'kind' | 'customId' | 'model' | 'noted'>,
  checked: () => CheckedLine,
  isUnended = false,
): SourceLine {
  const { kind, customId, model, noted } = known;
  return { line, kind, noted, checked, canChange: true, isUnended, text: () => text, customId: () => customId, model: () => model };
}

/** Rewrites lines after a survey of all of them. `survey` is called for each line in order, then `rewrite`. */
export interface LineRewriter {
  survey(line: SourceLine): void;
  /** Returns the replacement lines, empty to remove the line, or `undefined` to leave the line unchanged. */
  rewrite(line: SourceLine): readonly string[] | undefined;
  summary(): RewriteSummary;
}

export interface RewriteSummary {
  readonly changedLines: number;
  /** Number of changed lines by kind of fix. */
  readonly fixes: readonly (readonly [kind: FixKind, lines: number])[];
  /** Number of remaining errors and warnings, of single lines and of duplicate ids. */
  readonly problemsLeft: number;
  /** Number of requests, including bare message params. */
  readonly requests: number;
  readonly withoutId: number;
  readonly edited?: EditReport;
  /** Fields that were removed from requests, as JSON Lines: one object per request, with its `custom_id`. */
  readonly movedFields?: string;
}
