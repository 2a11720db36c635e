import { defined } from '../../defined';
import type { TranscriptEvent } from '../event';
import { objectOf, textOf } from '../eventFields';

/** A refusal, with the service's category and explanation if it gave any. */
export interface Refusal {
  readonly category?: string;
  readonly explanation?: string;
}

/** Returns the stop reason of an idle event and the event ids that wait for an answer; `undefined` if it has no reason. */
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

/** Returns the refusal that stopped a turn or a model request; `undefined` if it stopped for another reason. */
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

/** Returns the type, message and retry status of a `session.error`; `type` and `message` are '' if absent. */
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
