import { dateTimeFormat } from '../../../shared/formats';

const latest = 8.64e15;

/** Formats times of day in one language. Creating a formatter takes a hundred times as long as using it. */
export class TimeFormats {
  readonly #time: Intl.DateTimeFormat;
  readonly #full: Intl.DateTimeFormat;

  constructor(locale: string) {
    this.#time = dateTimeFormat(locale, { timeStyle: 'medium' });
    this.#full = dateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });
  }

  /** Returns the time of day of a moment of the service's clock; `undefined` if it isn't valid. */
  timeOf(at: number | undefined): string | undefined {
    return at === undefined || !(Math.abs(at) <= latest) ? undefined : this.#time.format(at);
  }

  /** Returns the full date and time, followed by UTC with milliseconds on the next line. */
  fullOf(at: number): string {
    return `${this.#full.format(at)}\n${new Date(at).toISOString()}`;
  }
}
