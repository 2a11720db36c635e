import * as z from 'zod';
import { checkBody, invalidRequest } from '../http/apiError';
import type { OpenCall } from './sessionRecord';
import type { StoredSession } from './storedSession';

const textSchema = z.looseObject({ type: z.literal('text'), text: z.string().min(1) });
const sourceSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('base64'), media_type: z.string().min(1), data: z.string().min(1) }),
  z.looseObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string().min(1) }),
  z.looseObject({ type: z.literal('url'), url: z.string().min(1) }),
  z.looseObject({ type: z.literal('file'), file_id: z.string().min(1) }),
]);
const imageSchema = z.looseObject({ type: z.literal('image'), source: sourceSchema });
const documentSchema = z.looseObject({
  type: z.literal('document'),
  source: sourceSchema,
  title: z.string().nullish(),
  context: z.string().nullish(),
});
const searchResultSchema = z.looseObject({
  type: z.literal('search_result'),
  source: z.string().min(1),
  title: z.string().min(1),
  content: z.array(textSchema),
});
const userContentSchema = z.array(z.discriminatedUnion('type', [textSchema, imageSchema, documentSchema])).min(1);
const resultContentSchema = z.array(z.discriminatedUnion('type', [textSchema, imageSchema, documentSchema, searchResultSchema]));
const idSchema = z.string().min(1).max(128);
const threadIdSchema = z.string().nullish();

const messageSchema = z.object({ type: z.literal('user.message'), content: userContentSchema });
const outcomeSchema = z.object({
  type: z.literal('user.define_outcome'),
  description: z.string().min(1),
  rubric: z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), content: z.string().min(1).max(262_144) }),
    z.object({ type: z.literal('file'), file_id: z.string().min(1) }),
  ]),
  max_iterations: z.int().min(1).max(20).nullish(),
});

const systemSchema = z.object({ type: z.literal('system.message'), content: z.array(textSchema).min(1).max(1000) });

const resultFields = { content: resultContentSchema.optional(), is_error: z.boolean().nullish(), session_thread_id: threadIdSchema };

const sentSchema = z.discriminatedUnion('type', [
  messageSchema,
  outcomeSchema,
  z.object({ type: z.literal('user.interrupt'), session_thread_id: threadIdSchema }),
  z.object({
    type: z.literal('user.tool_confirmation'),
    tool_use_id: idSchema,
    result: z.enum(['allow', 'deny']),
    deny_message: z.string().max(10_000).nullish(),
    session_thread_id: threadIdSchema,
  }),
  z.object({ type: z.literal('user.custom_tool_result'), custom_tool_use_id: idSchema, ...resultFields }),
  z.object({ type: z.literal('user.tool_result'), tool_use_id: idSchema, ...resultFields }),
  systemSchema,
]);
/** Event sent by a client (API facts, 8.1). */
export type SentEvent = z.infer<typeof sentSchema>;

/** Initial event of a session, which makes it run immediately. */
const initialSchema = z.discriminatedUnion('type', [messageSchema, outcomeSchema]);

const deploymentSchema = z
  .array(z.discriminatedUnion('type', [messageSchema, outcomeSchema, systemSchema]))
  .min(1)
  .max(50);

const knownTypes: ReadonlySet<string> = new Set(sentSchema.options.map(option => option.shape.type.value));

/**
 * Returns the events with the types that are stored. The contract calls an outcome `define_outcome` and shows no rubric. The vendor's
 * services accept only `user.define_outcome`.
 */
function withStoredTypes(events: unknown, isContract: boolean): unknown {
  return isContract && Array.isArray(events)
    ? events.map((event: { type?: unknown; description?: unknown } | null) =>
        event?.type === 'define_outcome'
          ? { rubric: { type: 'text', content: event.description }, ...event, type: 'user.define_outcome' }
          : event,
      )
    : events;
}

/** Returns the events of a send body. Throws a 400 that names the field if any of them is invalid. */
export function readSentEvents(body: unknown, isContract: boolean): readonly SentEvent[] {
  const given = typeof body === 'object' && body !== null && 'events' in body ? body.events : undefined;
  const events = withStoredTypes(given, isContract);
  if (events === undefined) {
    throw invalidRequest('events is required');
  }
  if (!Array.isArray(events) || events.length === 0) {
    throw invalidRequest('events must be a non-empty array');
  }
  return events.map((event: { type?: unknown } | null, at) => {
    if (typeof event?.type !== 'string' || !knownTypes.has(event.type)) {
      throw invalidRequest(`events.${at}.type: event type is not accepted by this endpoint`);
    }
    const sent = checkBody(sentSchema, event, `events.${at}`);
    if (sent.type === 'user.tool_confirmation' && sent.result === 'allow' && sent.deny_message) {
      throw invalidRequest(`events.${at}.deny_message: only with result deny`);
    }
    return sent;
  });
}

/** Returns the `initial_events` of a create body: at most 50 messages and outcomes. Throws a 400 that names the field. */
export function readInitialEvents(value: unknown, isContract: boolean): readonly SentEvent[] {
  const events = withStoredTypes(value, isContract);
  return events === undefined ? [] : checkBody(z.array(initialSchema).max(50), events, 'initial_events');
}

/** Returns the `initial_events` of a deployment: 1 to 50, including system messages (API facts, 8.1). Throws a 400 that names the field. */
export function readDeploymentEvents(value: unknown, isContract = false): readonly (SentEvent & Readonly<Record<string, unknown>>)[] {
  return checkBody(deploymentSchema, withStoredTypes(value, isContract), 'initial_events');
}

/** Returns the text of content blocks, one block per line. */
export function textOf(content: unknown): string {
  const blocks: readonly { readonly text?: unknown }[] = Array.isArray(content) ? content : [];
  return blocks.flatMap(block => (typeof block?.text === 'string' ? [block.text] : [])).join('\n');
}

/** Client's answer to a pending call. */
export interface Answer {
  readonly isAllowed: boolean;
  readonly denyMessage?: string;
  readonly content?: readonly object[];
  readonly isError?: boolean;
}

/** Answer in a sent event. `id` is the id of the call's event. */
interface SentAnswer {
  readonly id: string;
  /** Name of the field of the sent event that contains `id`. */
  readonly field: string;
  readonly waitsFor: OpenCall['waitsFor'];
  readonly answer: Answer;
}

function answerIn(event: SentEvent): SentAnswer | undefined {
  switch (event.type) {
    case 'user.tool_confirmation': {
      const answer = { isAllowed: event.result === 'allow', denyMessage: event.deny_message ?? undefined };
      return { id: event.tool_use_id, field: 'tool_use_id', waitsFor: 'permission', answer };
    }
    case 'user.custom_tool_result':
      return { id: event.custom_tool_use_id, field: 'custom_tool_use_id', waitsFor: 'customResult', answer: resultIn(event) };
    case 'user.tool_result':
      return { id: event.tool_use_id, field: 'tool_use_id', waitsFor: 'toolResult', answer: resultIn(event) };
    default:
      return undefined;
  }
}

function resultIn({ content = [], is_error: isError }: Extract<SentEvent, { readonly type: `${string}_result` }>): Answer {
  return { isAllowed: true, content, isError: isError ?? false };
}

/** Returns whether an event answers a call. Apart from answers, only an interrupt takes effect immediately. */
export function isAnswer(event: SentEvent): boolean {
  return answerIn(event) !== undefined;
}

export interface CallAnswer {
  readonly call: OpenCall;
  readonly answer: Answer;
}

/** Returns the answers among the sent events, each with its call. Throws a 400 for an event that the session can't accept now. */
export function acceptSent(
  sent: readonly SentEvent[],
  { record, parts, budgetIsSpent }: StoredSession,
): ReadonlyMap<SentEvent, CallAnswer> {
  const found = new Map<SentEvent, CallAnswer>();
  const taken = new Set<string>();
  let hasOutcome = record.outcomes.some(outcome => outcome.completedAt === null);
  sent.forEach((event, at) => {
    const asked = answerIn(event);
    const call = record.openCalls.find(open => open.eventId === asked?.id && open.waitsFor === asked.waitsFor);
    if (asked !== undefined && call !== undefined && !taken.has(asked.id)) {
      found.set(event, { call, answer: asked.answer });
      taken.add(asked.id);
    } else if (asked !== undefined && parts.style().checksAnswers) {
      throw invalidRequest(`events.${at}.${asked.field}: no call with the id ${asked.id} waits for this`);
    }
    if (asked === undefined && event.type !== 'user.interrupt' && budgetIsSpent) {
      throw invalidRequest(`events.${at}: the budget of the session is spent; only tool answers and interrupts are accepted`);
    }
    if (event.type === 'user.define_outcome') {
      if (hasOutcome) {
        throw invalidRequest(`events.${at}: the session has an active outcome`);
      }
      if (event.rubric.type === 'file' && parts.files.find(event.rubric.file_id) === undefined) {
        throw invalidRequest(`events.${at}.rubric.file_id: file not found`);
      }
      hasOutcome = true;
    }
  });
  return found;
}
