import * as z from 'zod';
import type { FromWebview } from '../../../shared/sheet/sheetProtocol';

const count = z
  .int()
  .min(0)
  .max(2 ** 31);
const prefix = z.string().min(1).max(200).optional();

/** What the sheet may say to the host, and nothing else. */
export const fromWebviewSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('create'), revision: count }),
  z.strictObject({ type: z.literal('close') }),
  z.strictObject({ type: z.literal('checkAgain') }),
  z.strictObject({ type: z.literal('stopSending') }),
  z.strictObject({ type: z.literal('stopEstimate') }),
  z.strictObject({ type: z.literal('startEstimate') }),
  z.strictObject({ type: z.literal('copySha') }),
  z.strictObject({ type: z.literal('openPlace'), line: count, start: count, end: count }),
  z.strictObject({ type: z.literal('showProblems') }),
  z.strictObject({ type: z.literal('showReport') }),
  z.strictObject({ type: z.literal('showTable') }),
  z.strictObject({ type: z.literal('fix') }),
  z.strictObject({ type: z.literal('convert') }),
  z.strictObject({ type: z.literal('split') }),
  z.strictObject({ type: z.literal('resolve') }),
  z.strictObject({ type: z.literal('showWhy') }),
  z.strictObject({ type: z.literal('openPrices') }),
  z.strictObject({ type: z.literal('setUserProfile') }),
  z.strictObject({ type: z.literal('mark'), prefix, ttl: z.enum(['5m', '1h']) }),
  z.strictObject({ type: z.literal('writePrimer'), prefix }),
  z.strictObject({ type: z.literal('leadOn') }),
]) satisfies z.ZodType<FromWebview>;
