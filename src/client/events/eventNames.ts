import type { SessionEvent } from '../schemas/sessionEvents';
import { fingerprintOf } from './eventFingerprint';

/**
 * Returns the name of an event, by which two copies of it are recognized as one. It is the `id` with the type, because some servers give a
 * call and its result the same id. Looser dialects name an event by the `message_id` of an agent's message, or by a `seq`, which the stream
 * may give as the `id:` line of the frame. An event that has none of these is named by its body.
 */
export function nameOf(event: SessionEvent, frameId?: string): string {
  if (typeof event.id === 'string' && event.id !== '') {
    return `id ${event.type} ${event.id}`;
  }
  if (event.type === 'agent.message' && typeof event.message_id === 'string') {
    return `message ${event.message_id}`;
  }
  const seq = typeof event.seq === 'number' || typeof event.seq === 'string' ? event.seq : frameId;
  return seq === undefined
    ? `body ${event.type} ${fingerprintOf(event)} ${fingerprintOf({ ...event, type: `${event.type}+` })}`
    : `seq ${event.type} ${seq}`;
}
