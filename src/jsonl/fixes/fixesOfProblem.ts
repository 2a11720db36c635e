import type { Problem } from '../../contract/problem';
import type { RuleId } from '../rules/ruleTable';
import type { JsonLine } from './jsonLine';
import type { FixContext, FixMaker, FixMakers, LineFix } from './lineFix';
import { fieldMakers } from './makers/fieldFixes';
import { missingFieldMakers } from './makers/fixMissingField';
import { idMakers } from './makers/idFixes';
import { refusedMakers } from './makers/refusedFixes';
import { syntaxMakers } from './makers/syntaxFixes';
import { valueMakers } from './makers/valueFixes';

/** Fix makers, keyed by rule. Problems of all other rules can't be fixed automatically. */
const makers: FixMakers = { ...syntaxMakers, ...missingFieldMakers, ...idMakers, ...fieldMakers, ...valueMakers, ...refusedMakers };

/**
 * Returns the fixes for a problem of a line, the preferred one first. Empty if no fix is sensible. The problem must be from the current
 * text of the line.
 */
export function fixesOfProblem(line: JsonLine, problem: Problem, context: FixContext): readonly LineFix[] {
  return [makerOf(problem.rule)?.(line, problem, context)].flat().filter(fix => typeof fix === 'object');
}

/** Returns whether there are fixes for any problems of a rule. */
export function hasFixes(rule: string): boolean {
  return makerOf(rule) !== undefined;
}

function makerOf(rule: string): FixMaker | undefined {
  return Object.hasOwn(makers, rule) ? makers[rule as RuleId] : undefined;
}
