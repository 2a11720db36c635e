import { dateTimeFormat } from '../../../shared/formats';

const latest = 8.64e15;

/** Times of day for one language. Making a formatter takes a hundred times as long as using it. */
export class TimeFormats {
  readonly #time: Intl.DateTimeFormat;
  readonly #full: Intl.DateTimeFormat;

  constructor(locale: string) {
    this.#time = dateTimeFormat(locale, { timeStyle: 'medium' });
    this.#full = dateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });
  }

  /** Time of day of a moment of the service's clock; undefined for what is no moment. */
  timeOf(at: number | undefined): string | undefined {
    return at === undefined || !(Math.abs(at) <= latest) ? undefined : this.#time.format(at);
  }

  /** The whole moment, with milliseconds in UTC below it. */
  fullOf(at: number): string {
    return `${this.#full.format(at)}\n${new Date(at).toISOString()}`;
  }
}
