import type { TranscriptEvent } from '../../../shared/session/event';
import { idOf, textOf } from '../../../shared/session/eventFields';
import { inputOf, nameOf } from '../../../shared/session/rows/buildToolRow';
import { comparableInput } from './comparableInput';
import type { AgentCall } from './sessionTest';

/** Tool call in a log, with the IDs by which events refer to it. */
export interface LoggedCall extends AgentCall {
  readonly ids: readonly string[];
  readonly isCustom: boolean;
  /** True if the call was not made by the session's main thread. Such calls run in parallel, in no fixed order. */
  readonly isElsewhere: boolean;
}

const callTypes = new Set(['agent.tool_use', 'agent.mcp_tool_use', 'agent.custom_tool_use']);

/**
 * Returns the tool calls in the whole log of a session, in log order. A call that the service repeats when it asks for permission is
 * included once.
 */
export function loggedCalls(events: readonly TranscriptEvent[]): readonly LoggedCall[] {
  const threads = otherThreads(events);
  const calls: LoggedCall[] = [];
  const known = new Map<string, number>();
  for (const event of events.filter(({ type }) => callTypes.has(type))) {
    const call = toCall(event, threads);
    const modelId = textOf(event.tool_use_id);
    const before = modelId === undefined ? undefined : known.get(modelId);
    const told = before === undefined ? undefined : calls[before];
    if (before !== undefined && told !== undefined && isSame(told, call)) {
      calls[before] = { ...told, ids: [...told.ids, ...call.ids] };
    } else {
      calls.push(call);
      if (modelId !== undefined) {
        known.set(modelId, calls.length - 1);
      }
    }
  }
  return calls;
}

/** Returns the threads of a log other than the session's main thread. */
export function otherThreads(events: readonly TranscriptEvent[]): ReadonlySet<string> {
  const creations = events.filter(({ type }) => type === 'session.thread_created');
  return new Set(creations.flatMap(event => textOf(event.session_thread_id) ?? []));
}

/** Returns the calls of the session's main thread, the only ones that are compared. */
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
