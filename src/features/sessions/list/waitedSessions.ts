import type { Memento } from 'vscode';
import type { SessionReference } from '../../../contributions';
import { referenceOf, sessionKey } from '../facts/listedSession';
import type { SessionStore } from './sessionStore';

/** Sessions with open asks as last known, limited in number. After a reload they are polled first, whatever page they are on. */
export class WaitedSessions {
  constructor(private readonly memento: Pick<Memento, 'get' | 'update'>) {}

  all(): readonly SessionReference[] {
    const saved: unknown = this.memento.get(key);
    return Array.isArray(saved) ? saved.filter(isReference) : [];
  }

  /** Saves the sessions with open asks. Keeps saved sessions whose asks are unknown. */
  note(store: Pick<SessionStore, 'waiting' | 'facts'>): void {
    const waiting = store.waiting().map(referenceOf);
    const known = new Set(waiting.map(sessionKey));
    const before = this.all();
    const isUnknown = (one: SessionReference) => (store.facts.logOf(one) ?? { isUnknown: true }).isUnknown === true;
    const unknown = before.filter(one => !known.has(sessionKey(one)) && isUnknown(one) && !store.facts.isGone(one));
    const saved = [...waiting, ...unknown].slice(0, maxSaved);
    const isSame = saved.map(sessionKey).sort().join('\n') === before.map(sessionKey).sort().join('\n');
    if (!isSame) {
      // A failed write only delays the next search.
      this.memento.update(key, saved).then(undefined, () => undefined);
    }
  }
}

const key = 'managedAgents.waitedSessions';
const maxSaved = 100;

function isReference(value: unknown): value is SessionReference {
  const { connection, sessionId } = (value ?? {}) as Partial<Record<keyof SessionReference, unknown>>;
  return typeof connection === 'string' && typeof sessionId === 'string';
}
