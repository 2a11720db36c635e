import type { TranscriptEvent } from '../../../shared/session/event';
import { idOf, textOf } from '../../../shared/session/eventFields';
import { inputOf, nameOf } from '../../../shared/session/rows/buildToolRow';
import { comparableInput } from './comparableInput';
import type { AgentCall } from './sessionTest';

/** A call in a log, with the ids that events name it by. */
export interface LoggedCall extends AgentCall {
  readonly ids: readonly string[];
  readonly isCustom: boolean;
  /** Made by another thread than the session's own: another agent works on it, beside others and in no fixed order. */
  readonly isElsewhere: boolean;
}

const callTypes = new Set(['agent.tool_use', 'agent.mcp_tool_use', 'agent.custom_tool_use']);

/** The calls of a whole log of a session, in its order. One that a service tells again when it asks for permission is there once. */
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

/** The threads of a log beside the session's own. */
export function otherThreads(events: readonly TranscriptEvent[]): ReadonlySet<string> {
  const made = events.filter(({ type }) => type === 'session.thread_created');
  return new Set(made.flatMap(event => textOf(event.session_thread_id) ?? []));
}

/** The calls of the session's own thread, which are those that are compared. */
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
