import type { Session } from '../../../client/resources/sessions';
import { maskSecrets } from '../../../shared/maskedJson';
import { answerTypes } from '../../../shared/session/deliveries';
import { callTypes, type TranscriptEvent } from '../../../shared/session/event';
import { idOf, listOf, objectOf, textOf } from '../../../shared/session/eventFields';
import { inputOf, nameOf } from '../../../shared/session/rows/buildToolRow';
import { comparableInput } from './compareCalls';
import type { AgentCall } from './testDocument';

/** Test document, and the parts of the session that it lacks. */
interface RecordedTest {
  readonly text: string;
  readonly messages: number;
  readonly calls: number;
  readonly leftOut: LeftOut;
}

/** Parts of a session that a test can't repeat. */
export interface LeftOut {
  /** Number of message blocks that are not text. */
  readonly blocks: number;
  /** Number of other sent events: interrupts, outcomes, messages to other threads, and so on. */
  readonly events: number;
  /** Number of mounted files, repositories and memory stores, and of vaults. */
  readonly attached: number;
}

/**
 * Creates a test from the whole log of a session. The test has the session's messages, its calls, and the responses to them. Secrets are
 * masked as in an export. Arguments that contain IDs of the session are not compared, because they differ in every session.
 */
export function recordTest(
  session: Session,
  events: readonly TranscriptEvent[],
  { version, connection }: { readonly version: number | 'latest'; readonly connection: string },
): RecordedTest {
  const calls = loggedCalls(events);
  const own = calls.filter(({ isElsewhere }) => !isElsewhere);
  const threads = otherThreads(events);
  const isSaid = ({ type, session_thread_id: thread }: TranscriptEvent) => type === 'user.message' && !threads.has(textOf(thread) ?? '');
  const contents = events.filter(isSaid).map(({ content }) => blocksOf(content));
  const messages = contents.map(blocks => blocks.flatMap(block => textOfBlock(block) ?? []).join('\n')).filter(text => text.trim() !== '');
  const ids = [session.id, ...threads, ...events.flatMap(({ id }) => textOf(id) ?? [])].filter(id => id.length >= shortestId);
  const document = {
    connection,
    agent: { id: session.agent?.id ?? '', version, ...(textOf(session.agent?.name) !== undefined && { name: session.agent?.name }) },
    ...(textOf(session.environment_id) !== undefined && { environment: session.environment_id }),
    messages,
    calls: own.map(({ tool, server, input }) => {
      const ignore = pointersTo(ids, input);
      return { tool, server, input, ...(ignore.length > 0 && { ignore }) };
    }),
    compare: { order: 'recorded', extra_calls: 'fail', ignore: [] },
    answers: respondedTo(
      calls.filter(({ isCustom }) => isCustom),
      events,
      'user.custom_tool_result',
      'custom_tool_use_id',
      toAnswer,
    ),
    decisions: respondedTo(calls, events, 'user.tool_confirmation', 'tool_use_id', toDecision),
    limit_seconds: 300,
    afterwards: 'archive',
  };
  return {
    text: `${JSON.stringify(maskSecrets(document), null, 2)}\n`,
    messages: messages.length,
    calls: own.length,
    leftOut: {
      blocks: contents.flat().filter(block => textOfBlock(block) === undefined).length,
      events: events.filter(event => /^(?:user|system)\./.test(event.type) && !answerTypes.has(event.type) && !isSaid(event)).length,
      attached: (session.resources?.length ?? 0) + (session.vault_ids?.length ?? 0),
    },
  };
}

/** Minimum length of an ID that is searched for in arguments, in characters. Shorter texts may match by chance. */
const shortestId = 8;

/** Returns JSON pointers to the strings in a value that contain one of these IDs. */
function pointersTo(ids: readonly string[], value: unknown, at = ''): readonly string[] {
  if (typeof value === 'string') {
    return at !== '' && ids.some(id => value.includes(id)) ? [at] : [];
  }
  const toStep = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, member]) => pointersTo(ids, member, `${at}/${toStep(name)}`))
    : [];
}

/**
 * Returns the calls that got a response of a type, with the fields of the first response. `idField` of a response contains the call's ID.
 */
function respondedTo(
  calls: readonly LoggedCall[],
  events: readonly TranscriptEvent[],
  type: string,
  idField: 'tool_use_id' | 'custom_tool_use_id',
  toFields: (response: TranscriptEvent) => object | undefined,
): readonly object[] {
  const responses = events.filter(event => event.type === type).toReversed();
  const byCall = new Map(responses.map(event => [event[idField], event]));
  return calls.flatMap(({ tool, server, input, ids }) => {
    const response = ids.map(id => byCall.get(id)).find(found => found !== undefined);
    const fields = response && toFields(response);
    return fields === undefined ? [] : [{ tool, server, input, ...fields }];
  });
}

function toAnswer({ content, is_error }: TranscriptEvent): object {
  const blocks = blocksOf(content);
  const isText = blocks.length === 1 && Object.keys(blocks[0] ?? {}).length === 2 && textOfBlock(blocks[0]) !== undefined;
  return { content: isText ? textOfBlock(blocks[0]) : blocks, ...(is_error === true && { is_error: true }) };
}

function toDecision({ result, deny_message }: TranscriptEvent): object | undefined {
  const reason = textOf(deny_message);
  return result === 'allow' || result === 'deny' ? { decision: result, ...(reason !== undefined && { reason }) } : undefined;
}

/** Returns the blocks of a message or result. Some services send a bare string instead. */
function blocksOf(content: unknown): readonly object[] {
  return typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : listOf(content).flatMap(block => (objectOf(block) === undefined ? [] : [block as object]));
}

function textOfBlock(block: unknown): string | undefined {
  const { type, text } = objectOf(block) ?? {};
  return type === 'text' && typeof text === 'string' ? text : undefined;
}

/** Tool call in a log, with the IDs by which events refer to it. */
interface LoggedCall extends AgentCall {
  readonly ids: string[];
  readonly isCustom: boolean;
  /** True if the call was not made by the session's main thread. Such calls run in parallel, in no fixed order. */
  readonly isElsewhere: boolean;
}

/** Returns the tool calls of a log, in order. A call that the service repeats to ask for permission is included once. */
function loggedCalls(events: readonly TranscriptEvent[]): readonly LoggedCall[] {
  const threads = otherThreads(events);
  const calls: LoggedCall[] = [];
  const byModelId = new Map<string | undefined, LoggedCall>();
  for (const event of events.filter(({ type }) => callTypes.some(call => call === type))) {
    const call = toCall(event, threads);
    const modelId = textOf(event.tool_use_id);
    const earlier = byModelId.get(modelId);
    if (earlier !== undefined && isSame(earlier, call)) {
      earlier.ids.push(...call.ids);
    } else {
      calls.push(call);
      if (modelId !== undefined) {
        byModelId.set(modelId, call);
      }
    }
  }
  return calls;
}

/** Returns the threads of a log other than the session's main thread. */
function otherThreads(events: readonly TranscriptEvent[]): ReadonlySet<string> {
  const creations = events.filter(({ type }) => type === 'session.thread_created');
  return new Set(creations.flatMap(event => textOf(event.session_thread_id) ?? []));
}

/** Returns the calls of the session's main thread. Only these calls are compared. */
export function ownCalls(events: readonly TranscriptEvent[]): readonly AgentCall[] {
  return loggedCalls(events).filter(({ isElsewhere }) => !isElsewhere);
}

function toCall(event: TranscriptEvent, threads: ReadonlySet<string>): LoggedCall {
  const server = textOf(event.mcp_server_name);
  const thread = textOf(event.session_thread_id);
  return {
    tool: nameOf(event),
    ...(server !== undefined && { server }),
    input: inputOf(event) ?? {},
    ids: [idOf(event), textOf(event.tool_use_id)].filter(id => id !== undefined),
    isCustom: event.type === 'agent.custom_tool_use',
    isElsewhere: thread !== undefined && threads.has(thread),
  };
}

function isSame(call: LoggedCall, again: LoggedCall): boolean {
  return call.tool === again.tool && call.server === again.server && comparableInput(call.input, []) === comparableInput(again.input, []);
}
