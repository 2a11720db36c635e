import * as z from 'zod';
import { fromPairsSchema } from './fromPairsSchema';
import { sessionComparisonActs, sessionComparisonFilters, sessionPairActs } from './sessionComparisonProtocol';

/** Panel to host. */
export const fromSessionComparisonSchema = fromPairsSchema(sessionComparisonFilters, sessionComparisonActs, sessionPairActs);
export type FromSessionComparison = z.infer<typeof fromSessionComparisonSchema>;

const reference = z.object({ connection: z.string().max(1000), sessionId: z.string().min(1).max(1000) }).readonly();

/** State of a panel: the compared sessions, to restore it. */
export const sessionComparisonStateSchema = z.object({ sessions: z.tuple([reference, reference]).readonly().exactOptional() }).readonly();
export type ComparedSessionsState = z.infer<typeof sessionComparisonStateSchema>;
