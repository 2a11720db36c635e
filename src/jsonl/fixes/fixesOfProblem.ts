import type { Problem } from '../../contract/problem';
import type { JsonLine } from './jsonLine';
import type { FixContext, FixMaker, LineFix } from './lineFix';
import { fieldMakers } from './makers/fieldFixes';
import { missingFieldMakers } from './makers/fixMissingField';
import { idMakers } from './makers/idFixes';
import { refusedMakers } from './makers/refusedFixes';
import { syntaxMakers } from './makers/syntaxFixes';
import { valueMakers } from './makers/valueFixes';

/** Fix makers, keyed by rule. Problems of all other rules can't be fixed automatically. */
const makers: ReadonlyMap<string, FixMaker> = new Map(
  [syntaxMakers, missingFieldMakers, idMakers, fieldMakers, valueMakers, refusedMakers].flatMap(some => Object.entries(some)),
);

/** Returns the sensible fixes for a problem of the current text of a line, the preferred one first. */
export function fixesOfProblem(line: JsonLine, problem: Problem, context: FixContext): readonly LineFix[] {
  return [makers.get(problem.rule)?.(line, problem, context)].flat().filter(fix => typeof fix === 'object');
}

export function hasFixes(rule: string): boolean {
  return makers.has(rule);
}
