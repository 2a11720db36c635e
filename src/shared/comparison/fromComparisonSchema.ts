import * as z from 'zod';
import { count, message } from '../message';
import { comparedPairActs, comparisonFilters, sessionComparisonFilters } from './comparisonProtocol';

/** Returns the schema of the messages from a panel that lists pairs. Positions are indexes of rows in the filtered list. */
function fromPairsSchema<const F extends readonly string[], const A extends readonly string[], const P extends readonly string[]>(
  filters: F,
  acts: A,
  pairActs: P,
) {
  const filter = z.enum(filters);
  return z.discriminatedUnion('type', [
    message('ready'),
    message('window', { filter, from: count, count: count.max(200) }),
    message('open', { filter, place: count }),
    message('pair', { filter, place: count, act: z.enum(pairActs) }),
    message('act', { act: z.enum(acts) }),
    message('openLink', { href: z.string().max(8192) }),
    message('copyText', { text: z.string().max(10_000_000) }),
  ]);
}

/** Messages from a panel, for any kind of comparison. */
export type FromPairs = z.infer<ReturnType<typeof fromPairsSchema<readonly string[], readonly string[], readonly string[]>>>;

export const fromComparisonSchema = fromPairsSchema(comparisonFilters, ['together'], comparedPairActs);
export type FromComparison = z.infer<typeof fromComparisonSchema>;

const run = z.object({ runId: z.string().min(1).max(500), withRetries: z.boolean() }).readonly();
export type ComparedReference = z.infer<typeof run>;

/** Persisted state of a panel: the compared runs. */
export const comparisonStateSchema = z.object({ runs: z.tuple([run, run]).readonly().exactOptional() }).readonly();
export type ComparedRuns = z.infer<typeof comparisonStateSchema>;

/** `difference` shows texts in the diff editor, `refresh` reads both sessions again, `before` and `after` open a session. */
export const fromSessionComparisonSchema = fromPairsSchema(
  sessionComparisonFilters,
  ['difference', 'refresh'],
  ['difference', 'before', 'after'],
);
export type FromSessionComparison = z.infer<typeof fromSessionComparisonSchema>;

const reference = z.object({ connection: z.string().max(1000), sessionId: z.string().min(1).max(1000) }).readonly();

/** Persisted state of a panel: the compared sessions. */
export const sessionComparisonStateSchema = z.object({ sessions: z.tuple([reference, reference]).readonly().exactOptional() }).readonly();
export type ComparedSessionsState = z.infer<typeof sessionComparisonStateSchema>;
