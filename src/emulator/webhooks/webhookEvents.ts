import type { WireEvent } from '../sessions/eventLog';

/** What happened, as webhooks tell it: the kind, the thing it happened to, and ids that belong to it. */
export interface WebhookEvent {
  readonly type: string;
  readonly id: string;
  readonly more?: Readonly<Record<string, string>>;
}

/** Kinds that are called otherwise than the event in the log of the session (API facts, section 17). */
const otherNames = new Map([
  ['session.status_running', 'session.status_run_started'],
  ['session.status_idle', 'session.status_idled'],
  ['span.outcome_evaluation_end', 'session.outcome_evaluation_ended'],
]);

/** What an event of a session's log is to webhooks; nothing for most. One that waits for somebody is told twice. */
export function webhookEventsOf(sessionId: string, event: WireEvent): readonly WebhookEvent[] {
  const type = otherNames.get(event.type) ?? event.type;
  const thread = event.session_thread_id;
  const more = type.startsWith('session.thread_') && typeof thread === 'string' ? { more: { session_thread_id: thread } } : {};
  const { stop_reason: stop } = event as { readonly stop_reason?: { readonly type?: string } };
  const waits = stop?.type === 'requires_action' && type === 'session.status_idled';
  return [
    ...(type.startsWith('session.') ? [{ type, id: sessionId, ...more }] : []),
    ...(waits ? [{ type: 'session.requires_action', id: sessionId }] : []),
  ];
}
