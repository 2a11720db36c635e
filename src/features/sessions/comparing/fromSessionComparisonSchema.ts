import * as z from 'zod';
import { fromPairsSchema } from '../../../shared/comparison/fromPairsSchema';
import {
  type FromSessionComparison,
  type SessionComparisonState,
  sessionComparisonActs,
  sessionComparisonFilters,
  sessionPairActs,
} from '../../../shared/comparison/sessionComparisonProtocol';

/** Schema of all messages from the panel to the host. */
export const fromSessionComparisonSchema = fromPairsSchema(
  sessionComparisonFilters,
  sessionComparisonActs,
  sessionPairActs,
) satisfies z.ZodType<FromSessionComparison>;

const reference = z.object({ connection: z.string().max(1000), sessionId: z.string().min(1).max(1000) });

/** State of a panel, restored after the window is reloaded. */
export const sessionComparisonStateSchema = z.object({ sessions: z.tuple([reference, reference]).exactOptional() }) satisfies z.ZodType<
  Pick<SessionComparisonState, 'sessions'>
>;
