import * as z from 'zod';
import { count, message } from '../message';
import { sheetChoices } from './sheetProtocol';

const prefix = z.string().min(1).max(200).optional();
const cause = z.string().min(1).max(20_000);
const price = z.number().min(0).max(1_000_000);

/** Sheet to host. Messages carry positions in the file and IDs of shown items, never a command, a path or an address. */
export const fromWebviewSchema = z.discriminatedUnion('type', [
  message('ready'),
  /** Sends the requests of this revision of the sheet. Does nothing if the sheet has changed in the meantime. */
  message('create', { revision: count }),
  message('close'),
  message('checkAgain'),
  /** Chooses which requests are sent. `size` is the number of requests in a trial. */
  message('choose', { choice: z.enum(sheetChoices), size: count.min(1).optional() }),
  message('chooseCause', { cause, isChosen: z.boolean() }),
  message('changeCause', { cause }),
  /** Writes the requests of the chosen causes to a file instead of sending them. */
  message('writeRetry'),
  /** Fetches results of earlier runs of the file that are not on this machine. */
  message('fetchEarlier'),
  /** Stores prices of one million tokens in the user's settings. */
  message('setPrices', {
    prices: z
      .array(z.strictObject({ model: z.string().min(1).max(1000), input: price, output: price }))
      .max(100)
      .readonly(),
  }),
  message('stopSending'),
  message('stopEstimate'),
  message('startEstimate'),
  message('countSample'),
  message('stopCount'),
  message('copySha'),
  /** A position in the file: 0-based line, UTF-16 columns. */
  message('openPlace', { line: count, start: count, end: count }),
  message('showProblems'),
  message('showTable'),
  message('fix'),
  message('convert'),
  message('split'),
  /** Resolves an earlier submission with an unknown outcome: determines whether it created a batch. */
  message('resolve'),
  message('switchConnection'),
  /** Asks the user for the user profile of the connection's batches. */
  message('setUserProfile'),
  /** Writes a copy of the file with `cache_control` after one prefix, or after all listed prefixes. */
  message('mark', { prefix, ttl: z.enum(['5m', '1h']) }),
  message('writePrimer', { prefix }),
  /** Continues from a check with the connection that can send the requests. */
  message('leadOn'),
]);
export type FromWebview = z.infer<typeof fromWebviewSchema>;

/** Initial choice of a new sheet. */
const wish = z
  .object({
    choice: z.enum(sheetChoices),
    size: z.int().min(1).optional(),
    /** Run whose requests without a good result are sent again. */
    runId: z.string().max(200).optional(),
  })
  .readonly();
export type SheetWish = z.infer<typeof wish>;

/** State of a sheet that was open when the window closed. */
export const sheetStateSchema = z.object({
  target: z.string().max(10_000).optional(),
  wish: wish.optional(),
  /** Time when the sheet was opened, in milliseconds since 1970. */
  shownAt: z.number().optional(),
  /** Requests chosen in an older version of the extension. A sheet with this field is closed, because it would show the whole file. */
  chosen: z.never().optional(),
});
export type KeptSheet = Readonly<z.infer<typeof sheetStateSchema>>;
