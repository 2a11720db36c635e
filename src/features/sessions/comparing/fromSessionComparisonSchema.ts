import type * as z from 'zod';
import { fromPairsSchema } from '../../../shared/comparison/fromPairsSchema';
import {
  type FromSessionComparison,
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
