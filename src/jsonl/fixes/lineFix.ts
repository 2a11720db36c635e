import type { Problem, ProblemText } from '../../contract/problem';
import type { RuleId } from '../rules/ruleTable';
import { type FixKind, fixKinds } from './fixKinds';
import type { JsonLine } from './jsonLine';
import type { PlacedPart } from './jsonParts';
import type { TextEdit } from './textEdit';

export interface LineFix {
  readonly kind: FixKind;
  readonly title: ProblemText;
  readonly edits: readonly TextEdit[];
  /** True for the best fix for a problem. A problem has at most one preferred fix. */
  readonly preferred: boolean;
  /** True if the line is removed with its line end. `edits` is empty then. */
  readonly removesLine: boolean;
}

/** Input of a fix in addition to the text of the line. */
export interface FixContext {
  /** 0-based line number. */
  readonly line: number;
  /** Returns whether another request has this id, given or derived. */
  isTaken(id: string): boolean;
  /** Returns another line of the file. Missing if only this line is available. */
  textAt?(line: number): string;
  /** Model ids that can replace an unknown one. */
  readonly models: readonly string[];
  /** Returns the most used model of the file, if known. */
  commonModel?(): string | undefined;
}

/** Fixes to apply in bulk: fixes of some kinds, fixes of one rule, or by default all safe fixes. Only preferred fixes are applied. */
export interface FixSelection {
  readonly kinds?: readonly FixKind[];
  readonly rule?: string;
}

/** Returns whether a selection includes the preferred fixes of a kind for a rule. */
export function choosesKind(selection: FixSelection, kind: FixKind, rule: string): boolean {
  if (selection.rule !== undefined) {
    return selection.rule === rule;
  }
  return selection.kinds === undefined ? fixKinds[kind].isSafe : selection.kinds.includes(kind);
}

export function toFix(
  kind: FixKind,
  template: string,
  edits: readonly TextEdit[],
  args: readonly (string | number)[] = [],
  preferred = true,
): LineFix {
  return { kind, title: { template, args }, edits, preferred, removesLine: false };
}

/** Creates a fix with edits that is never preferred. */
export function toOption(kind: FixKind, template: string, edits: readonly TextEdit[], args: readonly (string | number)[] = []): LineFix {
  return toFix(kind, template, edits, args, false);
}

type MaybeFix = LineFix | undefined | false;

/** Returns the fixes for a problem of a line, the preferred fix first. Entries that are `undefined` or `false` are ignored. */
export type FixMaker = (line: JsonLine, problem: Problem, context: FixContext) => MaybeFix | readonly MaybeFix[];
export type FixMakers = Partial<Record<RuleId, FixMaker>>;

/** Creates a maker from `make`, which gets the field or item with the problem. Returns no fixes if the line lacks that part. */
export function atProblem(make: (target: PlacedPart, ...given: Parameters<FixMaker>) => ReturnType<FixMaker>): FixMaker {
  return (line, problem, context) => {
    const target = line.partAt(problem.path, problem.start);
    return target && make(target, line, problem, context);
  };
}
