import type { Problem } from '../../contract/problem';
import type { CheckedLine } from '../checking/requestRules';
import { fixesOfProblem } from './fixesOfProblem';
import type { FixKind } from './fixKinds';
import { JsonLine } from './jsonLine';
import type { FixContext, LineFix } from './lineFix';
import { applyEdits, EditSet } from './textEdit';

/** What the rules say about a line; lines count from 0. */
export type LineCheck = (text: string, line: number) => CheckedLine;

/** Whether a fix for a problem is one of those to apply. */
export type FixChooser = (fix: LineFix, problem: Problem) => boolean;

/** One line of those that a line has become, as it is now. */
export interface FixedPart {
  readonly text: string;
  readonly checked: CheckedLine;
}

export interface FixedLine {
  /** Mostly one; none when the line is to go, several when it held several requests. */
  readonly parts: readonly FixedPart[];
  /** How often fixes of each kind were applied. */
  readonly applied: ReadonlyMap<FixKind, number>;
}

/** More rounds than any line needs: each applies all fixes that do not touch each other. */
const mostRounds = 60;

/**
 * Applies fixes to a line, round by round, until the chosen ones have nothing more to say, at most 60 times. A line without
 * problems comes back as it is. `checked` spares the first look at the line.
 */
export function fixLine(text: string, context: FixContext, check: LineCheck, choose: FixChooser, checked?: CheckedLine): FixedLine {
  const applied = new Map<FixKind, number>();
  const parts: FixedPart[] = [];
  const waiting: FixedPart[] = [{ text, checked: checked ?? check(text, context.line) }];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const fixed = fixPart(part, context, check, choose, applied);
    if (fixed === undefined) {
      continue;
    }
    const lines = fixed.text.split('\n');
    if (lines.length === 1) {
      parts.push(fixed);
      continue;
    }
    for (const line of lines.reverse()) {
      waiting.push({ text: line, checked: check(line, context.line) });
    }
  }
  return { parts, applied };
}

/** One line of text until nothing chosen is left, or it has become several; undefined when it is to go. */
function fixPart(
  part: FixedPart,
  context: FixContext,
  check: LineCheck,
  choose: FixChooser,
  applied: Map<FixKind, number>,
): FixedPart | undefined {
  let { text, checked } = part;
  for (let round = 0; round < mostRounds && checked.problems.length > 0; round++) {
    const fixes = chosenFixes(text, checked.problems, context, choose);
    if (fixes.length === 0) {
      break;
    }
    for (const { kind } of fixes) {
      applied.set(kind, (applied.get(kind) ?? 0) + 1);
    }
    if (fixes.some(fix => fix.removesLine)) {
      return undefined;
    }
    text = applyEdits(
      text,
      fixes.flatMap(fix => fix.edits),
    );
    if (text.includes('\n')) {
      return { text, checked };
    }
    checked = check(text, context.line);
  }
  return { text, checked };
}

/** The chosen fixes that can be applied together; the others have their turn in the next round. */
function chosenFixes(text: string, problems: readonly Problem[], context: FixContext, choose: FixChooser): readonly LineFix[] {
  const line = new JsonLine(text);
  const chosen: LineFix[] = [];
  const edits = new EditSet();
  for (const problem of problems) {
    const fix = fixesOfProblem(line, problem, context).find(candidate => choose(candidate, problem));
    if (fix === undefined) {
      continue;
    }
    if (fix.removesLine) {
      return [fix];
    }
    if (edits.add(fix.edits)) {
      chosen.push(fix);
    }
  }
  return chosen;
}
