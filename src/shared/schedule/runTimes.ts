import { Cron } from 'croner';
import { ZoneClock } from './zoneTime';

// Longest clock change, in milliseconds.
const longestChange = 3 * 60 * 60 * 1000;
/** Maximum number of wall times to check. */
const maxChecked = 5_000;

export interface RunTime {
  /** Time in milliseconds since 1970. For a skipped time, the instant as if the clocks had not changed. */
  readonly at: number;
  /** Wall time in the zone, as if it were UTC, in milliseconds. */
  readonly wallTime: number;
  /** `skipped`: the clocks go forward over this wall time. `first`, `second`: they go back, so it occurs twice. */
  readonly clockChange?: 'skipped' | 'first' | 'second';
}

/**
 * Returns the next times of a schedule after an instant, by the service's rule (the vendor's documents; API facts, section 14). Local clock
 * time counts: an hour that does not exist is skipped, and one that occurs twice fires twice. Skipped times are included but not counted.
 * The expression must be valid. Returns fewer times if there are no more within some years. `croner` matches wall times in UTC. By itself,
 * it would move fixed times out of skipped hours and fire repeated ones once.
 */
export function nextRunTimes(expression: string, zone: string, after: number, count: number): readonly RunTime[] {
  const clock = new ZoneClock(zone);
  // If the clocks are about to be put back, they will repeat wall times that have already passed.
  const repeatedTime = clock.wallTimeAt(after) - clock.wallTimeAt(after + longestChange) + longestChange;
  const times: RunTime[] = [];
  for (const wallTime of wallTimesAfter(expression, clock.wallTimeAt(after) - Math.max(repeatedTime, 0))) {
    const found = timesOf(wallTime, clock);
    const last = times.filter(isRun)[count - 1];
    if (last !== undefined && (found[0]?.at ?? 0) > last.at) {
      break;
    }
    times.push(...found.filter(({ at }) => at > after));
    times.sort((a, b) => a.at - b.at);
  }
  const end = times.filter(isRun)[count - 1]?.at ?? Number.POSITIVE_INFINITY;
  return times.filter(({ at }) => at <= end);
}

function isRun({ clockChange }: RunTime): boolean {
  return clockChange !== 'skipped';
}

function timesOf(wallTime: number, clock: ZoneClock): readonly RunTime[] {
  const instants = clock.instantsOf(wallTime);
  if (instants.length === 0) {
    return [{ at: clock.instantHadClocksStayed(wallTime), wallTime, clockChange: 'skipped' }];
  }
  return instants.map((at, index) => ({
    at,
    wallTime,
    ...(instants.length > 1 ? { clockChange: index === 0 ? 'first' : 'second' } : {}),
  }));
}

function* wallTimesAfter(expression: string, start: number): Generator<number> {
  // Paused, and without a function: nothing is ever started.
  const cron = new Cron(expression, { mode: '5-part', timezone: 'UTC', paused: true });
  let at: Date | null = new Date(start);
  for (let checked = 0; checked < maxChecked; checked++) {
    at = cron.nextRun(at);
    if (at === null) {
      return;
    }
    yield at.getTime();
  }
}

// Minimum and maximum delay, in milliseconds.
const minDelay = 5_000;
const maxDelay = 9 * 60_000;
const delayShare = 0.15;

/**
 * Returns the maximum delay of a scheduled session: 15 % of the interval to the next one, at least 5 seconds and at most 9 minutes. Source:
 * the vendor's documents (API facts, section 14). An unknown interval counts as long.
 */
export function longestDelay(interval: number | undefined): number {
  return interval === undefined ? maxDelay : Math.min(Math.max(interval * delayShare, minDelay), maxDelay);
}
