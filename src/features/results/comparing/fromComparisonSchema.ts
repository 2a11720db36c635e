import * as z from 'zod';
import {
  type ComparedRuns,
  comparedPairActs,
  comparisonActs,
  comparisonFilters,
  type FromComparison,
} from '../../../shared/comparison/comparisonProtocol';

const number = z
  .int()
  .min(0)
  .max(2 ** 31);
const filter = z.enum(comparisonFilters);

/** What the panel may say to the host, and nothing else. */
export const fromComparisonSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('window'), filter, from: number, count: number.max(200) }),
  z.strictObject({ type: z.literal('open'), filter, place: number }),
  z.strictObject({ type: z.literal('pair'), filter, place: number, act: z.enum(comparedPairActs) }),
  z.strictObject({ type: z.literal('act'), act: z.enum(comparisonActs) }),
  z.strictObject({ type: z.literal('openLink'), href: z.string().max(8192) }),
  z.strictObject({ type: z.literal('copyText'), text: z.string().max(10_000_000) }),
]) satisfies z.ZodType<FromComparison>;

const runId = z.string().min(1).max(500);

/** What a panel compared before the window was reloaded. */
export const comparisonStateSchema = z.object({ runIds: z.tuple([runId, runId]).exactOptional() }) satisfies z.ZodType<ComparedRuns>;
