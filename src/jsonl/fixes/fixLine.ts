import type { Problem } from '../../contract/problem';
import type { CheckedLine } from '../checking/requestRules';
import { fixesOfProblem } from './fixesOfProblem';
import type { FixKind } from './fixKinds';
import { JsonLine } from './jsonLine';
import type { FixContext, LineFix } from './lineFix';
import { applyEdits, EditSet } from './textEdit';

/** Checks a line by the rules. Lines are 0-based. */
export type LineCheck = (text: string, line: number) => CheckedLine;

export type FixChooser = (fix: LineFix, problem: Problem) => boolean;

/** One of the lines that a line was split into, in its current state. */
interface FixedPart {
  readonly text: string;
  readonly checked: CheckedLine;
}

/** Maximum number of rounds, more than any line needs. Each round applies all fixes that don't overlap. */
const maxRounds = 60;

/**
 * Applies the chosen fixes to a line in at most 60 rounds, until no chosen fix is left. `parts` are the lines that
 * replace it: usually one, none if the line is removed, and several if it held several requests. `checked` is the
 * result of `check` for the line, if known.
 */
export function fixLine(text: string, context: FixContext, check: LineCheck, choose: FixChooser, checked?: CheckedLine) {
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

/** Fixes one line until no chosen fix is left or the line was split. Returns `undefined` if the line is removed. */
function fixPart(
  part: FixedPart,
  context: FixContext,
  check: LineCheck,
  choose: FixChooser,
  applied: Map<FixKind, number>,
): FixedPart | undefined {
  let { text, checked } = part;
  for (let round = 0; round < maxRounds && checked.problems.length > 0; round++) {
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

/** Returns the chosen fixes that can be applied together. All others wait for the next round. */
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
