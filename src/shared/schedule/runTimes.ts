import { Cron } from 'croner';
import { ZoneClock } from './zoneTime';

// Longest clock change, in milliseconds.
const longestChange = 3 * 60 * 60 * 1000;
const maxChecked = 5_000;

export interface RunTime {
  /** Time in milliseconds since 1970. For a skipped wall time, the instant as if the clocks had not changed. */
  readonly at: number;
  /** Wall time in the zone, as if it were UTC, in milliseconds. */
  readonly wallTime: number;
  /** `skipped`: the clocks go forward over this wall time. `first`, `second`: the clocks go back, and the wall time occurs twice. */
  readonly clockChange?: 'skipped' | 'first' | 'second';
}

/**
 * Returns the next times of a schedule after an instant, by the service's rule (the vendor's documents; API facts, section 14). Local clock
 * time counts. A time in a skipped hour does not fire, and a time in a repeated hour fires twice. Skipped times are included but not
 * counted. The expression must be valid. Returns fewer times if there are no more within some years. `croner` only matches wall times in
 * UTC. With a time zone, `croner` would move times out of skipped hours and fire repeated times once.
 */
export function nextRunTimes(expression: string, zone: string, after: number, count: number): readonly RunTime[] {
  const clock = new ZoneClock(zone);
  // Wall times that have already passed occur again after the clocks are put back.
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
  // Paused and without a function, so nothing is ever started.
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

/** Returns the maximum delay of a session: a share of the interval to the next one, within bounds (API facts, section 14). */
export function longestDelay(interval: number | undefined): number {
  return interval === undefined ? maxDelay : Math.min(Math.max(interval * delayShare, minDelay), maxDelay);
}
