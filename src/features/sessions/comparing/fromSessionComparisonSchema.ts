import * as z from 'zod';
import {
  type FromSessionComparison,
  sessionComparisonActs,
  sessionComparisonFilters,
  sessionPairActs,
} from '../../../shared/session/comparing/sessionComparisonProtocol';

const number = z
  .int()
  .min(0)
  .max(2 ** 31);
const filter = z.enum(sessionComparisonFilters);

/** What the panel may say to the host, and nothing else. */
export const fromSessionComparisonSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('window'), filter, from: number, count: number.max(200) }),
  z.strictObject({ type: z.literal('open'), filter, place: number }),
  z.strictObject({ type: z.literal('pair'), filter, place: number, act: z.enum(sessionPairActs) }),
  z.strictObject({ type: z.literal('act'), act: z.enum(sessionComparisonActs) }),
  z.strictObject({ type: z.literal('openLink'), href: z.string().max(8192) }),
  z.strictObject({ type: z.literal('copyText'), text: z.string().max(10_000_000) }),
]) satisfies z.ZodType<FromSessionComparison>;
