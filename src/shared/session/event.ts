import { defined } from '../defined';
import { objectOf, textOf } from './eventFields';

/** An event as the service sent it. Any field except `type` may be missing or have an unexpected type. */
export interface TranscriptEvent {
  readonly type: string;
  readonly id?: string | null;
  readonly [field: string]: unknown;
}

export const callTypes = ['agent.tool_use', 'agent.mcp_tool_use', 'agent.custom_tool_use'] as const;

/** Returns the display name of a tool, with its MCP server. */
export function nameOfTool({ tool, server }: { readonly tool: string; readonly server?: string | undefined }): string {
  return server === undefined ? tool : `${server} / ${tool}`;
}

export const resultTypes = ['agent.tool_result', 'agent.mcp_tool_result', 'user.tool_result', 'user.custom_tool_result'] as const;

/** Types of events of a workflow run, except its errors. */
export const runTypes = [
  ...(['workflow_run.created', 'workflow_run.status_running', 'workflow_run.status_idle', 'workflow_run.status_ended'] as const),
  ...(['workflow_run.phase_started', 'workflow_run.phase_ended'] as const),
];

export const evaluationTypes = ['span.outcome_evaluation_start', 'span.outcome_evaluation_ongoing', 'span.outcome_evaluation_end'] as const;

/** Returns entries of a table by event type, with the same value for each type. */
export function forTypes<T>(types: readonly string[], value: T): readonly (readonly [type: string, value: T])[] {
  return types.map(type => [type, value]);
}

export function threadOf(event: TranscriptEvent): string | undefined {
  return textOf(event.session_thread_id);
}

/** Returns the thread of an event if that thread is not the displayed one. */
export function foreignThreadOf(event: TranscriptEvent, shown: string | undefined): string | undefined {
  const thread = threadOf(event);
  return thread === shown ? undefined : thread;
}

/** Returns whether a thread is in scope. `undefined` means the displayed thread. */
export type TurnScope = (thread: string | undefined) => boolean;

export const everything: TurnScope = () => true;
export const nothing: TurnScope = () => false;

/**
 * Returns the scope of a status change: one thread, or the whole session. A session's idle, end and interrupt include all of its threads.
 * Other states, and an interrupt that names a thread, are about one thread.
 */
export function scopeOf(event: TranscriptEvent, shownThread: string | undefined): TurnScope {
  const thread = foreignThreadOf(event, shownThread);
  if (isOfSession(event) || (event.type === 'user.interrupt' && thread === undefined)) {
    return everything;
  }
  return other => other === thread;
}

/** Returns whether an event is about the session, even if a server sets a thread on the event. */
export function isOfSession({ type }: TranscriptEvent): boolean {
  return type.startsWith('session.status_') || type === 'session.deleted';
}

/** Returns whether an event makes a session or a thread idle or ended. After such an event, no message is being written. */
export function isRest({ type }: TranscriptEvent): boolean {
  return /^session\.(?:thread_)?status_(?:idle|terminated)$/.test(type) || type === 'session.deleted';
}

/** A refusal, with the service's category and explanation if known. */
export interface Refusal {
  readonly category?: string;
  readonly explanation?: string;
}

/** Returns the stop reason of an idle event and the event ids that wait for an answer, or `undefined` if the event has no stop reason. */
export function stopOf(event: TranscriptEvent): { readonly reason: string; readonly waitsFor: readonly string[] } | undefined {
  const stop = objectOf(event.stop_reason);
  const details = objectOf(event.requires_action_details);
  const reason = textOf(stop?.type) ?? textOf(event.stop_reason) ?? textOf(details?.type);
  if (reason === undefined) {
    return undefined;
  }
  const ids = Array.isArray(stop?.event_ids) ? stop.event_ids : Array.isArray(details?.event_ids) ? details.event_ids : [];
  return { reason, waitsFor: reason === 'requires_action' ? [...new Set(ids.filter(id => typeof id === 'string'))] : [] };
}

/** Returns the refusal that stopped a turn or a model request, or `undefined` if the reason was not a refusal. */
export function refusalOf(event: TranscriptEvent): Refusal | undefined {
  if (stopOf(event)?.reason !== 'refusal') {
    return undefined;
  }
  const details = objectOf(objectOf(event.stop_reason)?.stop_details) ?? objectOf(event.stop_details);
  return defined({ category: textOf(details?.category), explanation: textOf(details?.explanation) });
}

/** Returns whether a `session.error` ends its turn. Errors of an MCP server or of its credential don't. */
export function isFinalError(event: TranscriptEvent): boolean {
  const { type, retry } = errorOf(event);
  return retry === 'terminal' && !/^(?:mcp|credential)_/.test(type);
}

/** Returns the type, message and retry status of a `session.error`. `type` and `message` are '' if absent. */
export function errorOf({ error: value, message: words }: TranscriptEvent): {
  readonly type: string;
  readonly message: string;
  readonly retry: string | undefined;
} {
  const error = objectOf(value);
  return {
    type: textOf(error?.type) ?? '',
    message: textOf(error?.message) ?? textOf(value) ?? textOf(words) ?? '',
    retry: textOf(objectOf(error?.retry_status)?.type) ?? textOf(error?.retry_status),
  };
}
