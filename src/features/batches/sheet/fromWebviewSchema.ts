import * as z from 'zod';
import { type FromWebview, sheetChoices } from '../../../shared/sheet/sheetProtocol';

const count = z
  .int()
  .min(0)
  .max(2 ** 31);
const prefix = z.string().min(1).max(200).optional();
const cause = z.string().min(1).max(20_000);
const price = z.number().min(0).max(1_000_000);

/** Acts without arguments. */
const plain = [
  'close',
  'checkAgain',
  'writeRetry',
  'fetchEarlier',
  'stopSending',
  'stopEstimate',
  'startEstimate',
  'countSample',
  'stopCount',
  'copySha',
  'showProblems',
  'showTable',
  'fix',
  'convert',
  'split',
  'resolve',
  'switchConnection',
  'setUserProfile',
  'leadOn',
] as const;

/** Messages of the sheet's webview. Everything else is dropped. */
export const fromWebviewSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('create'), revision: count }),
  z.strictObject({ type: z.literal('choose'), choice: z.enum(sheetChoices), size: count.min(1).optional() }),
  z.strictObject({ type: z.literal('chooseCause'), cause, isChosen: z.boolean() }),
  z.strictObject({ type: z.literal('changeCause'), cause }),
  z.strictObject({ type: z.literal('openPlace'), line: count, start: count, end: count }),
  z.strictObject({
    type: z.literal('setPrices'),
    prices: z.array(z.strictObject({ model: z.string().min(1).max(1000), input: price, output: price })).max(100),
  }),
  z.strictObject({ type: z.literal('mark'), prefix, ttl: z.enum(['5m', '1h']) }),
  z.strictObject({ type: z.literal('writePrimer'), prefix }),
  z.strictObject({ type: z.enum(plain) }),
]) satisfies z.ZodType<FromWebview>;
