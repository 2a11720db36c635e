const latest = 8.64e15;

/** Times of day for one language. Making a formatter takes a hundred times as long as using it. */
export class TimeFormats {
  readonly #time: Intl.DateTimeFormat;
  readonly #full: Intl.DateTimeFormat;

  constructor(locale: string) {
    this.#time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
    this.#full = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });
  }

  /** Time of day of a moment of the service's clock, the whole of it, and as ISO 8601; undefined for what is no moment. */
  format(at: number | undefined): { readonly time: string; readonly full: string; readonly iso: string } | undefined {
    if (at === undefined || !(Math.abs(at) <= latest)) {
      return undefined;
    }
    const iso = new Date(at).toISOString();
    return { time: this.#time.format(at), full: `${this.#full.format(at)}\n${iso}`, iso };
  }
}
