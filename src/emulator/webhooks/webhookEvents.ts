/** Event as delivered by webhooks: its type, the resource, and related ids. */
export interface WebhookEvent {
  readonly type: string;
  readonly id: string;
  readonly more?: Readonly<Record<string, string>>;
}

/** Types whose names differ from those in the log of a session (API facts, section 17). */
const otherNames = new Map([
  ['session.status_running', 'session.status_run_started'],
  ['session.status_idle', 'session.status_idled'],
  ['span.outcome_evaluation_end', 'session.outcome_evaluation_ended'],
]);

/** Returns the webhook events for an event of a session's log: none for most, two if the session waits for somebody. */
export function webhookEventsOf(
  sessionId: string,
  event: { readonly type: string; readonly [field: string]: unknown },
): readonly WebhookEvent[] {
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
