import * as z from 'zod';
import { longestPath } from '../../../jsonl/querying/valueColumns';
import {
  type ColumnLayout,
  type FromWebview,
  headActs,
  leastWidth,
  mostWidth,
  pairActs,
  resultColumns,
  rowsActs,
  type ShownState,
} from '../../../shared/results/resultsProtocol';

const number = z
  .int()
  .min(0)
  .max(2 ** 31);
const query = z.string().max(20_000);
const id = z.string().max(100_000);
const column = z.union([
  z.enum([...resultColumns, 'model', 'test', 'problem']),
  z.templateLiteral(['$.', z.string().max(longestPath)]),
  z.templateLiteral(['fields.', z.string().max(longestPath)]),
]);
/** Maps the name that older versions used for the status column. */
const currentName = (name: unknown) => (name === 'state' ? 'status' : name);
const order = z.strictObject({ by: z.preprocess(currentName, column), isDescending: z.boolean() });

/** Names and widths of the columns of a table. */
export const columnLayoutSchema = z
  .array(
    z.strictObject({
      name: z.preprocess(currentName, z.union([column, z.literal('words')])),
      width: number.min(leastWidth).max(mostWidth).exactOptional(),
    }),
  )
  .min(1)
  .max(500) satisfies z.ZodType<ColumnLayout>;

const ranges = z.array(z.tuple([number, number])).max(100_000);

/** Messages that the host accepts from the panel. */
export const fromWebviewSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('arrange'), request: number, query, order: order.exactOptional(), keep: id.exactOptional() }),
  z.strictObject({ type: z.literal('window'), revision: number, from: number, count: number.max(200) }),
  z.strictObject({ type: z.literal('survey'), revision: number }),
  z.strictObject({ type: z.literal('open'), revision: number, place: number }),
  z.strictObject({ type: z.literal('pair'), revision: number, place: number, act: z.enum(pairActs), citation: number.optional() }),
  z.strictObject({ type: z.literal('actOnRows'), revision: number, ranges, act: z.enum(rowsActs) }),
  z.strictObject({ type: z.literal('complete'), request: number, query, at: number }),
  z.strictObject({ type: z.literal('columns'), columns: columnLayoutSchema }),
  z.strictObject({ type: z.literal('chooseColumns') }),
  z.strictObject({ type: z.literal('act'), act: z.enum(headActs) }),
  z.strictObject({ type: z.literal('openLink'), href: z.string().max(8192) }),
  z.strictObject({ type: z.literal('copyText'), text: z.string().max(10_000_000) }),
]) satisfies z.ZodType<FromWebview>;

/** Persisted state of a panel: the results that it shows. */
export const resultsStateSchema = z.object({
  runId: z.string().max(500).exactOptional(),
  withRetries: z.boolean().exactOptional(),
  file: z.string().max(32_768).exactOptional(),
  requests: z.string().max(32_768).exactOptional(),
}) satisfies z.ZodType<ShownState>;
