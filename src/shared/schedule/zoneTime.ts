import { dateTimeFormat } from '../formats';

const day = 24 * 60 * 60 * 1000;

/** Returns the spelling of a zone in the IANA data (`Europe/Berlin`), or `undefined` for other texts. */
export function zoneName(zone: string): string | undefined {
  if (!/^[A-Za-z]/.test(zone)) {
    return undefined;
  }
  try {
    dateTimeFormat('en', { timeZone: zone });
  } catch {
    return undefined;
  }
  // Older names stay valid, even if the IANA data now prefers another name.
  return Intl.supportedValuesOf('timeZone').find(known => known.toLowerCase() === zone.toLowerCase()) ?? zone;
}

export function ownZone(): string {
  return dateTimeFormat().resolvedOptions().timeZone;
}

/** Clock of one time zone. A wall time is the displayed time in milliseconds, as if it were UTC. */
export class ZoneClock {
  private readonly format: Intl.DateTimeFormat;

  /** Throws a `RangeError` for an invalid zone. */
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

  /** Returns the wall time at an instant (milliseconds since 1970), in whole seconds. */
  wallTimeAt(instant: number): number {
    const parts = Object.fromEntries(this.format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day: date = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, date, hour, minute, second);
  }

  /** Returns the instants with a wall time, ascending: none in a skipped hour, two in a repeated one. */
  instantsOf(wallTime: number): readonly number[] {
    const instants = [-day, day].map(apart => wallTime - this.offsetAt(wallTime + apart));
    return [...new Set(instants)].filter(instant => this.wallTimeAt(instant) === wallTime).sort((a, b) => a - b);
  }

  /** Returns the instant of a skipped wall time, as if the clocks had not been put forward. */
  instantHadClocksStayed(wallTime: number): number {
    return wallTime - this.offsetAt(wallTime - day);
  }

  private offsetAt(instant: number): number {
    return this.wallTimeAt(instant) - Math.floor(instant / 1000) * 1000;
  }
}
