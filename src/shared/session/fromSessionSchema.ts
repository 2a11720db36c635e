import * as z from 'zod';
import { message } from '../message';
import { longestMessage, maxAttached } from './composing';
import { rowFilters } from './rows/rowKinds';

const id = z.string().min(1).max(512);
/** Id of a thread; '' for the session's own log. */
const thread = z.string().max(512);
const key = z.string().min(1).max(1024);
const words = z.string().max(longestMessage);
const seq = z.int().min(0).max(1_000_000_000);
/** A part of a row, for example `input`, `result.0` or `parts.1`. `ask` is the arguments of an ask. The key of an ask is its event id. */
const path = z.string().regex(/^(?:input|ask|details|json|rubric|(?:result|parts)\.\d{1,6})$/);
const attachedAs = z.enum(['text', 'upload']);

const filter = z.strictObject({ shown: z.enum(rowFilters), query: z.string().max(10_000).optional() });
export type RowFilter = Readonly<z.infer<typeof filter>>;

/** Messages that both the panel and the inbox send. */
export const askMessages = [
  message('customResult', { clientId: id, eventId: id, text: words, isError: z.boolean() }),
  message('customResultFromFile', { clientId: id, eventId: id }),
  message('openAskedChange', { eventId: id }),
  message('makeRule', { eventId: id }),
  /** Asks the user before opening a link. Only https, and http to this machine. */
  message('openLink', { href: z.string().max(8192) }),
  message('copyText', { text: z.string().max(64_000_000) }),
] as const;

/** Messages from the composer to the host. The values of `id` and `name` were sent by the host before. */
export const composerMessages = [
  /** The composer was loaded, or loaded again, and needs the attached files. */
  message('composing'),
  /** Requests files that match the text after `@`; '' starts a new search. */
  message('findFiles', { query: z.string().max(200) }),
  /** Attaches a file, or changes how an attached file is sent. Without `as`, the host chooses. */
  message('attachFile', { id, as: attachedAs.optional() }),
  message('detachFile', { id }),
  message('listPrompts'),
  message('readPrompt', { name: z.string().min(1).max(255) }),
] as const;
export type FromComposer = z.infer<(typeof composerMessages)[number]>;

/** Panel to host. Contains ids and the user's text, never a command, a path or an address to call. */
export const fromWebviewSchema = z.discriminatedUnion('type', [
  message('ready'),
  ...askMessages,
  ...composerMessages,
  /** Keeps a preview panel open after the user typed something. */
  message('keep'),
  /** Reports that the user switched to this thread. A snapshot follows if the host has not sent a snapshot yet. */
  message('openThread', { thread }),
  message('send', {
    clientId: id,
    text: words,
    files: z
      .array(z.strictObject({ id, as: attachedAs }))
      .max(maxAttached)
      .readonly()
      .optional(),
  }),
  message('interrupt', { thread: thread.optional() }),
  /** Asks the user for an agent of a phase of a workflow run, and shows its thread. */
  message('chooseRunThread', { run: thread, phase: thread }),
  message('defineOutcome', {
    ...{ clientId: id, description: words, rubric: words },
    maxIterations: z.int().min(1).max(1000).optional(),
  }),
  /** `shown` is the fingerprint of the ask on the card (`askText`), required to allow it. */
  message('confirm', {
    ...{ clientId: id, eventId: id, result: z.enum(['allow', 'deny']), denyMessage: words.optional() },
    shown: z.string().length(64).optional(),
  }),
  message('loadPart', { thread, key, path }),
  /** Opens a part in an editor of its own: pretty JSON, text, or an image. */
  message('openPart', { thread, key, path }),
  message('openRaw', { thread, key }),
  /** Opens the change of a file tool's call as a diff, or the file itself if the workspace has it. */
  message('openChange', { thread, key }),
  message('openInWorkspace', { thread, key }),
  /** Continues in a new session from a row of the session's own log. Asks the user first. */
  message('startAgain', { key }),
  message('copyLink', { key }),
  message('search', { thread, query: z.string().max(10_000) }),
  message('openAgent'),
  /** Shows the attached resources in pickers of VS Code. Secrets are entered there, never in the panel. */
  message('manageResources'),
  message('changeBudget'),
  message('openCreatedFile', { id }),
  message('downloadCreatedFile', { id }),
  message('fixCredential', { thread, key }),
  message('copyRow', { thread, key }),
  /** Asks the user for the format and, with a filter, whether to apply it. */
  message('export', { thread, filter: filter.optional() }),
  message('retryNow'),
  /** Moves a replay to the state of a log after event `seq`. */
  message('viewAt', { thread, seq }),
]);
export type FromWebview = z.infer<typeof fromWebviewSchema>;

export const panelStateSchema = z.object({
  connection: z.string().max(512).optional(),
  session: z.string().max(512).optional(),
});
