import type * as z from 'zod';
import { outOfRange, wrongType } from '../../contract/messageParamsIssues';
import { isWhole } from '../../contract/messageParamsShapes';
import { compareNumbers, isWholeNumber } from '../../shared/exactNumber';
import type { JsonProblem } from '../scanning/jsonProblem';
import type { Finding, Subject } from './finding';
import { schemasAt } from './knownFields';
import { schemaOf, toFinding } from './schemaRules';

/**
 * Finds `wrong-type` and `number-out-of-range` for numbers that are only valid after rounding to a double. `problems` are those of the JSON
 * in `text`. They include every number that a double changes.
 */
export function* findInexact(subject: Subject, problems: readonly JsonProblem[], text: string): Iterable<Finding> {
  for (const { rule, path, start, end } of problems) {
    if (rule !== 'number-precision') {
      continue;
    }
    const written = text.slice(start, end);
    for (const schema of schemasAt(schemaOf(subject), path, subject.value)) {
      const { def } = (schema as z.core.$ZodTypes)._zod;
      // The schema rules check numbers that became infinite, as large numbers.
      if (def.type !== 'number' || !Number.isFinite(Number(written))) {
        continue;
      }
      if (isWhole(def) && !isWholeNumber(written) && Number.isInteger(Number(written))) {
        yield toFinding(wrongType(path, 'a whole number'), subject);
      } else {
        yield* bounds(def).flatMap(([isLeast, bound]) => {
          const isBeyond = compareNumbers(written, String(bound)) === (isLeast ? -1 : 1);
          return isBeyond && Number(written) === bound ? [toFinding(outOfRange(path, isLeast, bound), subject)] : [];
        });
      }
    }
  }
}

function bounds({ checks = [] }: z.core.$ZodNumberDef): readonly (readonly [isLeast: boolean, bound: number])[] {
  return checks.flatMap(check => {
    const { def } = (check as z.core.$ZodChecks)._zod;
    return def.check === 'greater_than' || def.check === 'less_than' ? [[def.check === 'greater_than', Number(def.value)] as const] : [];
  });
}
