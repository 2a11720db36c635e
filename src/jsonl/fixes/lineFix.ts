import type { Problem, ProblemText } from '../../contract/problem';
import { type FixKind, fixKinds } from './fixKinds';
import type { JsonLine } from './jsonLine';
import type { TextEdit } from './textEdit';

/** A change of one line that answers a problem. Nothing outside of `edits` changes. */
export interface LineFix {
  readonly kind: FixKind;
  readonly title: ProblemText;
  readonly edits: readonly TextEdit[];
  /** The one answer that is better than the others; of the fixes for a problem at most one is. */
  readonly preferred: boolean;
  /** May be applied to many lines without each being looked at. */
  readonly isSafe: boolean;
  /** The line goes, with its line end; there are no edits then. */
  readonly removesLine: boolean;
}

/** What fixes of a line are made with beside its text. */
export interface FixContext {
  /** Where the line stands, from 0. */
  readonly line: number;
  /** Whether another request has this id, given or made. */
  isTaken(id: string): boolean;
  /** Another line of the file, where lines can be had in any order. */
  textAt?(line: number): string;
  /** Ids of models that may stand in the place of an unknown one. */
  readonly models: readonly string[];
  /** The model that most requests of the file ask, where they are known. */
  commonModel?(): string | undefined;
}

/** Which fixes are applied when many are: those of some kinds, those of one rule, or, without either, all safe ones. Preferred ones only. */
export interface FixSelection {
  readonly kinds?: readonly FixKind[];
  readonly rule?: string;
}

export function isChosen(selection: FixSelection, fix: Pick<LineFix, 'kind' | 'preferred' | 'isSafe'>, rule: string): boolean {
  if (selection.rule !== undefined) {
    return fix.preferred && selection.rule === rule;
  }
  return fix.preferred && (selection.kinds === undefined ? fix.isSafe : selection.kinds.includes(fix.kind));
}

/** Whether a selection asks for the preferred fixes of a kind that answer a rule. */
export function choosesKind(selection: FixSelection, kind: FixKind, rule: string): boolean {
  return isChosen(selection, { kind, preferred: true, isSafe: fixKinds[kind].isSafe }, rule);
}

interface FixOptions {
  readonly preferred?: boolean;
  readonly args?: readonly (string | number)[];
}

/** A fix of edits; safe when its kind is and it is the preferred one. */
export function toFix(
  kind: FixKind,
  template: string,
  edits: readonly TextEdit[],
  { preferred = true, args = [] }: FixOptions = {},
): LineFix {
  return { kind, title: { template, args }, edits, preferred, isSafe: preferred && fixKinds[kind].isSafe, removesLine: false };
}

/** A fix that takes the whole line away. */
export function toLineRemoval(kind: FixKind, template: string, options: FixOptions = {}): LineFix {
  return { ...toFix(kind, template, [], options), removesLine: true };
}

export type FixMaker = (line: JsonLine, problem: Problem, context: FixContext) => readonly LineFix[];
