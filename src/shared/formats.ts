type Locale = string | undefined;

/** Maximum number of cached formats. More than any view needs, and a bound for time zones and currencies from outside. */
const most = 200;

/**
 * Caches the results of `make` by locale and options. Creating a format costs a hundred times as much as using it, and views use one for
 * every row. `standing` returns anything else that the result depends on.
 */
function once<O extends object, T>(make: (locale: Locale, options: O | undefined) => T, standing = (_?: O): unknown => undefined) {
  const cached = new Map<string, T>();
  /** The last result: a list asks for the same one for every row. */
  let last: { readonly locale: Locale; readonly options: O | undefined; readonly standing: unknown; readonly found: T } | undefined;
  return (locale?: string, options?: O): T => {
    const stands = standing(options);
    if (last !== undefined && last.locale === locale && last.options === options && last.standing === stands) {
      return last.found;
    }
    const key = JSON.stringify([locale, options, stands]);
    let found = cached.get(key);
    if (found === undefined) {
      found = make(locale, options);
      if (cached.size >= most) {
        cached.clear();
      }
      cached.set(key, found);
    }
    last = { locale, options, standing: stands, found };
    return found;
  };
}

export const numberFormat = once((locale, options: Intl.NumberFormatOptions | undefined) => new Intl.NumberFormat(locale, options));

/** Returns a number with the separators of a locale. */
export function toNumber(value: number, locale?: string): string {
  return numberFormat(locale).format(value);
}

/** Date format of a locale, by default in this machine's time zone. Throws a `RangeError` for an invalid zone. */
export const dateTimeFormat = once(
  (locale, options: Intl.DateTimeFormatOptions | undefined) => new Intl.DateTimeFormat(locale, options),
  // The time zone of the machine can change while the window is open.
  options => (options?.timeZone === undefined ? new Date().getTimezoneOffset() : undefined),
);

/** Relative time format of a locale ("3 min ago"). */
export const relativeTimeFormat = once(
  (locale, options: Intl.RelativeTimeFormatOptions | undefined) => new Intl.RelativeTimeFormat(locale, options),
);

/** List format of a locale ("A, B and C"). */
export const listFormat = once((locale, options: Intl.ListFormatOptions | undefined) => new Intl.ListFormat(locale, options));

export const collator = once((locale, options: Intl.CollatorOptions | undefined) => new Intl.Collator(locale, options));
