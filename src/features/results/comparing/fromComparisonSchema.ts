import * as z from 'zod';
import {
  type ComparedRuns,
  comparedPairActs,
  comparisonActs,
  comparisonFilters,
  type FromComparison,
} from '../../../shared/comparison/comparisonProtocol';
import { fromPairsSchema } from '../../../shared/comparison/fromPairsSchema';

/** Messages that the host accepts from the panel. */
export const fromComparisonSchema = fromPairsSchema(
  comparisonFilters,
  comparisonActs,
  comparedPairActs,
) satisfies z.ZodType<FromComparison>;

const run = z.object({ runId: z.string().min(1).max(500), withRetries: z.boolean() });

/** Persisted state of a panel: the compared runs. */
export const comparisonStateSchema = z.object({ runs: z.tuple([run, run]).exactOptional() }) satisfies z.ZodType<ComparedRuns>;
