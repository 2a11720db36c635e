import * as z from 'zod';
import { fromPairsSchema } from '../../../shared/comparison/fromPairsSchema';
import {
  type FromSessionComparison,
  type SessionComparisonState,
  sessionComparisonActs,
  sessionComparisonFilters,
  sessionPairActs,
} from '../../../shared/session/comparing/sessionComparisonProtocol';

/** What the panel may say to the host, and nothing else. */
export const fromSessionComparisonSchema = fromPairsSchema(
  sessionComparisonFilters,
  sessionComparisonActs,
  sessionPairActs,
) satisfies z.ZodType<FromSessionComparison>;

const reference = z.object({ connection: z.string().max(1000), sessionId: z.string().min(1).max(1000) });

/** What a panel compared before the window was reloaded. */
export const sessionComparisonStateSchema = z.object({ sessions: z.tuple([reference, reference]).exactOptional() }) satisfies z.ZodType<
  Pick<SessionComparisonState, 'sessions'>
>;
