import { dateTimeFormat } from '../formats';

const day = 24 * 60 * 60 * 1000;

/** Whether a text names a time zone of the IANA data; an offset such as `+02:00` does not. */
export function isZone(zone: string): boolean {
  return zoneName(zone) !== undefined;
}

/** How the name of a zone is written where it is one: `Europe/Berlin` of `europe/berlin`. */
export function zoneName(zone: string): string | undefined {
  if (!/^[A-Za-z]/.test(zone)) {
    return undefined;
  }
  try {
    dateTimeFormat('en', { timeZone: zone });
  } catch {
    return undefined;
  }
  // Older names are right as they stand, though another is preferred today.
  return Intl.supportedValuesOf('timeZone').find(known => known.toLowerCase() === zone.toLowerCase()) ?? zone;
}

/** The zone that this machine is in. */
export function ownZone(): string {
  return dateTimeFormat().resolvedOptions().timeZone;
}

/**
 * What the clocks of one zone show. A wall time is what they show as milliseconds, as if it were UTC: it can occur never, once or twice.
 */
export class ZoneClock {
  private readonly format: Intl.DateTimeFormat;

  /** Throws a `RangeError` for what is no zone. */
  constructor(zone: string) {
    this.format = dateTimeFormat('en-u-ca-gregory-nu-latn', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** What the clocks show at an instant, in milliseconds since 1970; whole seconds. */
  wallTimeAt(instant: number): number {
    const parts: Partial<Record<string, number>> = {};
    for (const { type, value } of this.format.formatToParts(instant)) {
      parts[type] = Number(value);
    }
    const { year = 0, month = 1, day: date = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, date, hour, minute, second);
  }

  /** The instants at which the clocks show a wall time: none in an hour that is skipped, two in one that is repeated. Ascending. */
  instantsOf(wallTime: number): readonly number[] {
    const instants = [-day, day].map(apart => wallTime - this.offsetAt(wallTime + apart));
    return [...new Set(instants)].filter(instant => this.wallTimeAt(instant) === wallTime).sort((a, b) => a - b);
  }

  /** The instant at which the clocks would have shown a wall time, had they not been put forward before it. */
  instantHadClocksStayed(wallTime: number): number {
    return wallTime - this.offsetAt(wallTime - day);
  }

  private offsetAt(instant: number): number {
    return this.wallTimeAt(instant) - Math.floor(instant / 1000) * 1000;
  }
}
