import { useEffect, useState } from 'preact/hooks';
import type { SessionView } from '../../../shared/session/sessionView';

/** Reported age and active time of a session in seconds, and whether they are running. */
export interface SessionClock {
  /** The report that set the clock, as JSON. A different report sets the clock again. */
  readonly reported: string;
  /** Time of a monotonic clock at which the seconds were read, in milliseconds. */
  readonly readAt: number;
  readonly elapsed: number | undefined;
  readonly active: number | undefined;
  readonly isRunning: boolean;
}

/** Maximum time by which the displayed time may be ahead of the service before it steps back, in seconds. */
const tolerance = 5;

/**
 * Returns the clock of a view that arrived at `now` (milliseconds, monotonic). Between two reports of the service, the clock advances while
 * the session runs and `isLive` is true. A wrong clock of this machine has no effect.
 */
export function readClock(previous: SessionClock | undefined, view: SessionView, now: number, isLive: boolean): SessionClock {
  const { id, createdAt, updatedAt, durationSeconds, activeSeconds } = view;
  const span = createdAt === undefined || updatedAt === undefined ? undefined : Math.max(0, (updatedAt - createdAt) / 1000);
  const elapsed = durationSeconds ?? span;
  const reported = JSON.stringify([id, elapsed, activeSeconds]);
  const shown = previous === undefined ? undefined : secondsAt(previous, now);
  const isRunning = isLive && view.state === 'running';
  const isSame = previous?.reported === reported;
  const settled = (seconds: number | undefined, shownSeconds: number | undefined): number | undefined =>
    isSame ? shownSeconds : isLive ? settle(seconds, shownSeconds) : seconds;
  const times = { elapsed: settled(elapsed, shown?.elapsed), active: settled(activeSeconds, shown?.active) };
  return { reported, readAt: now, ...times, isRunning };
}

/** Returns the times at `now` in seconds, or `undefined` if the service did not report them. */
export function secondsAt(clock: SessionClock, now: number): { readonly elapsed: number | undefined; readonly active: number | undefined } {
  const since = clock.isRunning ? Math.max(0, (now - clock.readAt) / 1000) : 0;
  return {
    elapsed: clock.elapsed === undefined ? undefined : clock.elapsed + since,
    active: clock.active === undefined ? undefined : clock.active + since,
  };
}

/** Returns the shown time if it is slightly ahead, so that the clock doesn't visibly step back. Otherwise returns the reported time. */
function settle(reported: number | undefined, shown: number | undefined): number | undefined {
  return reported !== undefined && shown !== undefined && shown > reported && shown - reported < tolerance ? shown : reported;
}

/** Returns a monotonic clock in milliseconds, updated once a second while `isTicking` and the page is visible. */
export function useTicking(isTicking: boolean): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!isTicking) {
      return undefined;
    }
    let timer: number | undefined;
    const follow = (): void => {
      window.clearInterval(timer);
      timer = undefined;
      if (!document.hidden) {
        setNow(performance.now());
        timer = window.setInterval(() => setNow(performance.now()), 1000);
      }
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener('visibilitychange', follow);
    };
  }, [isTicking]);
  return now;
}
