import * as z from 'zod';
import { comparedPairActs, comparisonActs, comparisonFilters } from './comparisonProtocol';
import { fromPairsSchema } from './fromPairsSchema';

/** Panel to host. */
export const fromComparisonSchema = fromPairsSchema(comparisonFilters, comparisonActs, comparedPairActs);
export type FromComparison = z.infer<typeof fromComparisonSchema>;

const run = z.object({ runId: z.string().min(1).max(500), withRetries: z.boolean() }).readonly();
export type ComparedReference = z.infer<typeof run>;

/** Persisted state of a panel: the compared runs. */
export const comparisonStateSchema = z.object({ runs: z.tuple([run, run]).readonly().exactOptional() }).readonly();
export type ComparedRuns = z.infer<typeof comparisonStateSchema>;
