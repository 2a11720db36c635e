import * as z from 'zod';
import { count, message } from '../message';
import { headActs, longestPath, maxWidth, minWidth, pairActs, resultColumns, rowsActs } from './resultsProtocol';

const query = z.string().max(20_000);
const id = z.string().max(100_000);
/**
 * Columns of the index, and columns whose values are read from the files: the model, the outcome of the test, and the rules with problems.
 * A path leads to a value in the JSON of the answer or request, or to an extra field of the request.
 */
const column = z.preprocess(
  // Layouts stored by version 0.4.0 call the status column `state`.
  name => (name === 'state' ? 'status' : name),
  z.union([
    z.enum([...resultColumns, 'model', 'test', 'problem']),
    z.templateLiteral(['$.', z.string().max(longestPath)]),
    z.templateLiteral(['fields.', z.string().max(longestPath)]),
  ]),
);
const order = z.strictObject({ by: column, isDescending: z.boolean() });
export type ResultOrder = Readonly<z.infer<typeof order>>;

export const columnLayoutSchema = z
  .array(z.strictObject({ name: z.union([column, z.literal('words')]), width: count.min(minWidth).max(maxWidth).exactOptional() }))
  .min(1)
  .max(500)
  .readonly();
/** Column layout set by the user: selection, order and widths. */
export type ColumnLayout = z.infer<typeof columnLayoutSchema>;

const ranges = z
  .array(z.tuple([count, count]).readonly())
  .max(100_000)
  .readonly();

/** Panel to host. Contains positions of rows. The only address is a link in an answer, which the user confirms. */
export const fromWebviewSchema = z.discriminatedUnion('type', [
  message('ready'),
  /** Requests an arrangement of the rows. The response includes the position of the request with the id `keep`. */
  message('arrange', { request: count, query, order: order.optional(), keep: id.optional() }),
  message('window', { revision: count, from: count, count: count.max(200) }),
  message('survey', { revision: count }),
  message('open', { revision: count, place: count }),
  /** `citation` is the index of a citation in the pair, for `goToEvent`. */
  message('pair', { revision: count, place: count, act: z.enum(pairActs), citation: count.optional() }),
  message('actOnRows', { revision: count, ranges, act: z.enum(rowsActs) }),
  message('complete', { request: count, query, at: count }),
  message('columns', { columns: columnLayoutSchema }),
  message('chooseColumns'),
  message('act', { act: z.enum(headActs) }),
  message('openLink', { href: z.string().max(8192) }),
  message('copyText', { text: z.string().max(10_000_000) }),
]);
export type FromWebview = z.infer<typeof fromWebviewSchema>;

/** Persisted state of a panel: the displayed results. */
export const resultsStateSchema = z.object({
  runId: z.string().max(500).exactOptional(),
  withRetries: z.boolean().exactOptional(),
  /** Path of a results file without a known run. */
  file: z.string().max(32_768).exactOptional(),
  requests: z.string().max(32_768).exactOptional(),
});
export type ShownState = Readonly<z.infer<typeof resultsStateSchema>>;
