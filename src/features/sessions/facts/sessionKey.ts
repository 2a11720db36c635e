import type { SessionReference } from '../../../contributions';

/** Identifies a session among those of all connections. */
export function sessionKey({ connection, sessionId }: SessionReference): string {
  return `${connection}\n${sessionId}`;
}
