import * as z from 'zod';
import { rowFilters } from '../../../shared/session/rows/rowKinds';
import type { FromWebview, PanelState } from '../../../shared/session/sessionProtocol';
import { composerSchemas, sentFilesSchema } from '../composing/composerSchemas';

const id = z.string().min(1).max(512);
/** '' is the session's own log. */
const thread = z.string().max(512);
const key = z.string().min(1).max(1024);
const words = z.string().max(1_000_000);
const seq = z.int().min(0).max(1_000_000_000);
const path = z.string().regex(/^(?:input|ask|details|json|rubric|(?:result|parts)\.\d{1,6})$/);

const filter = z.strictObject({
  shown: z.enum(rowFilters),
  query: z.string().max(10_000).optional(),
});

/** Messages that the panel may send to the host. */
export const fromWebviewSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('keep') }),
  z.strictObject({ type: z.literal('openThread'), thread }),
  z.strictObject({
    type: z.literal('send'),
    clientId: id,
    text: words,
    files: sentFilesSchema.optional(),
  }),
  ...composerSchemas,
  z.strictObject({ type: z.literal('interrupt'), thread: thread.optional() }),
  z.strictObject({
    type: z.literal('defineOutcome'),
    clientId: id,
    description: words,
    rubric: words,
    maxIterations: z.int().min(1).max(1000).optional(),
  }),
  z.strictObject({
    type: z.literal('confirm'),
    clientId: id,
    eventId: id,
    result: z.enum(['allow', 'deny']),
    denyMessage: words.optional(),
    shown: z.string().length(64).optional(),
  }),
  z.strictObject({ type: z.literal('makeRule'), eventId: id }),
  z.strictObject({ type: z.literal('customResult'), clientId: id, eventId: id, text: words, isError: z.boolean() }),
  z.strictObject({ type: z.literal('customResultFromFile'), clientId: id, eventId: id }),
  z.strictObject({ type: z.literal('loadPart'), thread, key, path }),
  z.strictObject({ type: z.literal('openPart'), thread, key, path }),
  z.strictObject({ type: z.literal('openRaw'), thread, key }),
  z.strictObject({ type: z.literal('openChange'), thread, key }),
  z.strictObject({ type: z.literal('openAskedChange'), eventId: id }),
  z.strictObject({ type: z.literal('openInWorkspace'), thread, key }),
  z.strictObject({ type: z.literal('startAgain'), key }),
  z.strictObject({ type: z.literal('copyLink'), key }),
  z.strictObject({ type: z.literal('search'), thread, query: z.string().max(10_000) }),
  z.strictObject({ type: z.literal('openLink'), href: z.string().max(8192) }),
  z.strictObject({ type: z.literal('openAgent') }),
  z.strictObject({ type: z.literal('manageResources') }),
  z.strictObject({ type: z.literal('changeBudget') }),
  z.strictObject({ type: z.literal('openMadeFile'), id }),
  z.strictObject({ type: z.literal('downloadMadeFile'), id }),
  z.strictObject({ type: z.literal('fixCredential'), thread, key }),
  z.strictObject({ type: z.literal('copyRow'), thread, key }),
  z.strictObject({ type: z.literal('copyText'), text: z.string().max(64_000_000) }),
  z.strictObject({ type: z.literal('export'), thread, filter: filter.optional() }),
  z.strictObject({ type: z.literal('retryNow') }),
  z.strictObject({ type: z.literal('viewAt'), seq }),
]) satisfies z.ZodType<FromWebview>;

/** State that a panel saved when the window closed. */
export const panelStateSchema = z.object({
  connection: z.string().max(512).optional(),
  session: z.string().max(512).optional(),
  file: z.string().max(8192).optional(),
  thread: z.string().max(512).optional(),
  draft: z.string().optional(),
  given: z.string().optional(),
}) satisfies z.ZodType<PanelState>;
