import type { Session } from '../../../../client/schemas/sessions';
import type { SessionReference } from '../../../../contributions';

/** What the service last said of a session, and when it was asked: monotonic milliseconds of this machine. */
export interface SessionRecord extends SessionReference {
  readonly session: Session;
  readonly asOf: number;
}

/**
 * What is known of sessions, whichever page, panel or look it came from: one record for each, and of two tellings the one that
 * was asked for later wins, whichever came in first. Bounded.
 */
export class SessionRecords {
  private readonly kept = new Map<string, SessionRecord>();
  /** When sessions were found to be gone: an answer that was asked for before does not bring them back. */
  private readonly gone = new Map<string, number>();

  /** `onChange` is told of each session of which something else is known, or nothing any more. */
  constructor(private readonly onChange: (key: string) => void) {}

  get(key: string): SessionRecord | undefined {
    return this.kept.get(key);
  }

  all(): Iterable<SessionRecord> {
    return this.kept.values();
  }

  /** Takes in what was asked for at `asOf`. Answers whether it says something else than what was known. */
  take(connection: string, session: Session, asOf: number): boolean {
    const key = lookKey({ connection, sessionId: session.id });
    const before = this.kept.get(key);
    if ((before?.asOf ?? -1) > asOf || this.wasGone(key, asOf)) {
      return false;
    }
    const record = { connection, sessionId: session.id, session: toKept(session), asOf };
    const isNews = before === undefined || JSON.stringify(before.session) !== JSON.stringify(record.session);
    // What says the same stays the same object, and the youngest telling is last.
    this.kept.delete(key);
    this.kept.set(key, isNews ? record : { ...record, session: before.session });
    this.gone.delete(key);
    this.dropSome(this.kept, mostKept, this.onChange);
    if (isNews) {
      this.onChange(key);
    }
    return isNews;
  }

  /** Whether a session was found to be gone later than `asOf`. */
  wasGone(key: string, asOf: number): boolean {
    return (this.gone.get(key) ?? Number.NEGATIVE_INFINITY) > asOf;
  }

  /** Notes that a session was gone at `asOf`. */
  remove(key: string, asOf: number): void {
    this.kept.delete(key);
    this.gone.delete(key);
    this.gone.set(key, asOf);
    this.dropSome(this.gone, mostGone, () => undefined);
    this.onChange(key);
  }

  clear(): void {
    this.kept.clear();
    this.gone.clear();
  }

  private dropSome(map: Map<string, unknown>, most: number, onDrop: (key: string) => void): void {
    for (const key of map.keys()) {
      if (map.size <= most) {
        return;
      }
      map.delete(key);
      onDrop(key);
    }
  }
}

const mostKept = 5_000;
const mostGone = 1_000;

/** What rows, hovers and menus are made of: prompts and tools of thousands of agents are not kept. */
function toKept(session: Session): Session {
  const { agent, resources: _, vault_ids: __, metadata: ___, ...rest } = session;
  if (!agent) {
    return rest;
  }
  const { id, type, name, version, model } = agent;
  return { ...rest, agent: { id, type, name, version, model } };
}

/** Names a session among those of all connections. */
export function lookKey({ connection, sessionId }: SessionReference): string {
  return `${connection}\n${sessionId}`;
}
