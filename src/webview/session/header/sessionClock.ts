import type { SessionView } from '../../../shared/session/sessionView';

/** How long a session has existed and worked, as far as it was told, and whether that goes on. */
export interface SessionClock {
  /** What it was told by; a new word from the service sets the clock. */
  readonly told: string;
  /** Milliseconds of a monotonic clock at which the seconds were right. */
  readonly readAt: number;
  readonly elapsed: number | undefined;
  readonly active: number | undefined;
  readonly isRunning: boolean;
}

/** Seconds that a shown time may stand ahead of the service's before it steps back. */
const tolerance = 5;

/**
 * The clock of a view that came at `now` (milliseconds, monotonic). Between two words of the service it goes on by itself
 * while the session runs and `isLive`; a wrong clock of this machine changes nothing.
 */
export function readClock(previous: SessionClock | undefined, view: SessionView, now: number, isLive: boolean): SessionClock {
  const { id, createdAt, updatedAt, durationSeconds, activeSeconds } = view;
  const span = createdAt === undefined || updatedAt === undefined ? undefined : Math.max(0, (updatedAt - createdAt) / 1000);
  const elapsed = durationSeconds ?? span;
  const told = JSON.stringify([id, elapsed, activeSeconds]);
  const shown = previous === undefined ? undefined : secondsAt(previous, now);
  const isRunning = isLive && view.state === 'running';
  if (previous?.told === told) {
    return { told, readAt: now, elapsed: shown?.elapsed, active: shown?.active, isRunning };
  }
  return {
    told,
    readAt: now,
    elapsed: isLive ? settle(elapsed, shown?.elapsed) : elapsed,
    active: isLive ? settle(activeSeconds, shown?.active) : activeSeconds,
    isRunning,
  };
}

/** What the clock shows at `now`, in seconds; undefined where nothing was told. */
export function secondsAt(clock: SessionClock, now: number): { readonly elapsed: number | undefined; readonly active: number | undefined } {
  const since = clock.isRunning ? Math.max(0, (now - clock.readAt) / 1000) : 0;
  return {
    elapsed: clock.elapsed === undefined ? undefined : clock.elapsed + since,
    active: clock.active === undefined ? undefined : clock.active + since,
  };
}

/** A clock that is a little ahead waits instead of stepping back before everyone's eyes. */
function settle(told: number | undefined, shown: number | undefined): number | undefined {
  return told !== undefined && shown !== undefined && shown > told && shown - told < tolerance ? shown : told;
}
