import { Cron } from 'croner';
import { ZoneClock } from './zoneTime';

// Milliseconds.
const longestChange = 3 * 60 * 60 * 1000;
/** Wall times that are looked at, at most. */
const mostLooked = 5_000;

/** A time of a schedule. */
export interface RunTime {
  /** Milliseconds since 1970; of one that is skipped, when it would have been. */
  readonly at: number;
  /** What the clocks of the zone show, as milliseconds in UTC. */
  readonly wallTime: number;
  /** `skipped`: clocks are put forward over it, so it does not exist. `first`, `second`: clocks are put back, so it occurs twice. */
  readonly clockChange?: 'skipped' | 'first' | 'second';
}

/**
 * The next times of a schedule after an instant, by the service's rule (the vendor's documents; API facts, section 14): what clocks show
 * counts, an hour that does not exist is skipped and one that occurs twice fires twice. Skipped times stand among the others and are not
 * counted. The expression must be right; answers fewer where there are no more within some years.
 *
 * `croner` matches wall times, in a zone without clock changes: by itself it moves fixed times out of skipped hours and fires them once.
 */
export function nextRunTimes(expression: string, zone: string, after: number, count: number): readonly RunTime[] {
  const clock = new ZoneClock(zone);
  // Clocks that are about to be put back show again what they have shown already.
  const shownAgain = clock.wallTimeAt(after) - clock.wallTimeAt(after + longestChange) + longestChange;
  const times: RunTime[] = [];
  for (const wallTime of wallTimesAfter(expression, clock.wallTimeAt(after) - Math.max(shownAgain, 0))) {
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
  for (let looked = 0; looked < mostLooked; looked++) {
    at = cron.nextRun(at);
    if (at === null) {
      return;
    }
    yield at.getTime();
  }
}
