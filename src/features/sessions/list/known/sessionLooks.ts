import type { Session } from '../../../../client/schemas/sessions';
import type { Clock } from '../../../../common/clock';
import type { SessionRest } from '../../../../shared/session/facts/turn';
import { type AskLog, withAnswer } from '../../facts/askLog';
import type { OpenAsk } from '../../facts/openAsks';

/** What the newest events of a session told when they were last read. */
export interface SessionLook {
  readonly asks: readonly OpenAsk[];
  /** True if the session may have other open asks: the events that would show them were not read. */
  readonly isUnknown?: boolean;
  /** State of its log, as far as it was read. */
  readonly log?: AskLog | undefined;
  /** First words of its first message, where the log was short enough to see them, or they were looked for. */
  readonly firstWords: string | undefined;
  /** Whether the newest events were all there are. */
  readonly isWhole?: boolean;
  /** Why it rests, if it does. */
  readonly rest?: SessionRest | undefined;
  /** What was said in it of late, as far as it was read here. */
  readonly said?: string | undefined;
  /** Id of the event that ended its last turn. */
  readonly endId?: string | undefined;
}

interface KeptLook extends SessionLook {
  readonly fingerprint: string;
  /** Monotonic milliseconds. */
  readonly at: number;
  readonly isSettled: boolean;
  /** When it was asked for, monotonic milliseconds. */
  readonly asOf: number;
}

/**
 * What waits in sessions, which only their events tell: kept for as long as the list says that nothing changed. Sessions go
 * by a key that names connection and session.
 */
export class SessionLooks {
  private readonly kept = new Map<string, KeptLook>();

  /** `onChange` is told whenever another look is kept of a session. */
  constructor(
    private readonly clock: Clock,
    private readonly onChange: (key: string) => void = () => undefined,
  ) {}

  get(key: string): SessionLook | undefined {
    return this.kept.get(key);
  }

  /** Whether the events of a session have to be read to know what waits in it. */
  isDue(key: string, session: Session): boolean {
    if (session.archived_at) {
      return false;
    }
    const look = this.kept.get(key);
    if (look === undefined || this.isOutdated(key, session)) {
      return true;
    }
    if (session.status === 'terminated') {
      // Read once, to know why it ended. No events follow.
      return false;
    }
    const age = this.clock.monotonic() - look.at;
    if (look.isUnknown === true) {
      return age >= whileUnknown;
    }
    // While it runs a custom tool may start to wait and nothing in the list changes.
    return age >= (look.isSettled ? (session.status === 'idle' ? Number.POSITIVE_INFINITY : whileRunning) : untilSettled);
  }

  /** Whether the list says that a session changed since its events were read. */
  isOutdated(key: string, session: Session): boolean {
    return this.kept.get(key)?.fingerprint !== fingerprintOf(session);
  }

  /** Notes what was read at `asOf`, monotonic milliseconds, of a session that the list showed as `session`. What is newer stays. */
  put(key: string, session: Session, look: SessionLook, asOf: number = this.clock.monotonic()): void {
    const before = this.kept.get(key);
    if (before !== undefined && before.asOf > asOf) {
      return;
    }
    const fingerprint = fingerprintOf(session);
    const again = before?.fingerprint === fingerprint;
    this.kept.set(key, {
      asks: look.asks,
      isUnknown: look.isUnknown === true,
      log: look.log ?? before?.log,
      firstWords: look.firstWords ?? before?.firstWords,
      ...(look.isWhole !== undefined && { isWhole: look.isWhole }),
      rest: look.rest,
      endId: look.endId,
      said: look.said ?? before?.said,
      fingerprint,
      at: this.clock.monotonic(),
      asOf,
      isSettled: again || this.isLongAgo(session.updated_at),
    });
    this.onChange(key);
  }

  /** Notes that the events could not be read: what was known stays, and they are tried again later. */
  failed(key: string, session: Session): void {
    const { asks = [], log, firstWords, rest, endId } = this.kept.get(key) ?? {};
    this.put(key, session, { asks, isUnknown: true, log, firstWords, rest, endId });
  }

  /** Removes an ask whose answer the service has stored. */
  answered(key: string, event: string): void {
    const look = this.kept.get(key);
    if (look !== undefined) {
      const log = look.log && withAnswer(look.log, event);
      this.kept.set(key, { ...look, log, asks: look.asks.filter(({ eventId }) => eventId !== event) });
      this.onChange(key);
    }
  }

  /** Notes the first words of a session that was looked at. */
  name(key: string, firstWords: string): void {
    const look = this.kept.get(key);
    if (look !== undefined) {
      this.kept.set(key, { ...look, firstWords });
      this.onChange(key);
    }
  }

  clear(): void {
    this.kept.clear();
  }

  /** Several changes within one second look alike on a server that keeps whole seconds. */
  private isLongAgo(updated: string | null | undefined): boolean {
    const age = this.clock.now() - Date.parse(updated ?? '');
    return Number.isFinite(age) && Math.abs(age) > 5_000;
  }
}

// Milliseconds.
const whileRunning = 10_000;
const untilSettled = 2_000;
const whileUnknown = 30_000;

/** Tells two states of a session apart, as far as a list can. */
export function fingerprintOf({ status, updated_at, usage, stats }: Session): string {
  return JSON.stringify([status, updated_at, usage?.input_tokens, usage?.output_tokens, stats?.active_seconds]);
}
