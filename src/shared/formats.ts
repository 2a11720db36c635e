type Locale = string | undefined;

/** More than any view shows; a time zone or currency of somebody else's choosing cannot make it grow. */
const most = 200;

/**
 * What `make` makes of a locale and options, made once for each: it costs a hundred times what it is used for, and views use it for every
 * row they draw. `standing` tells what else decides what is made.
 */
function once<O extends object, T>(make: (locale: Locale, options: O | undefined) => T, standing = (_?: O): unknown => undefined) {
  const made = new Map<string, T>();
  /** Made last: a list asks for the same with every row. */
  let last: { readonly locale: Locale; readonly options: O | undefined; readonly standing: unknown; readonly found: T } | undefined;
  return (locale?: string, options?: O): T => {
    const stands = standing(options);
    if (last !== undefined && last.locale === locale && last.options === options && last.standing === stands) {
      return last.found;
    }
    const key = JSON.stringify([locale, options, stands]);
    let found = made.get(key);
    if (found === undefined) {
      found = make(locale, options);
      if (made.size >= most) {
        made.clear();
      }
      made.set(key, found);
    }
    last = { locale, options, standing: stands, found };
    return found;
  };
}

/** Numbers as a locale writes them. */
export const numberFormat = once((locale, options: Intl.NumberFormatOptions | undefined) => new Intl.NumberFormat(locale, options));

/** Times as a locale writes them; throws a `RangeError` for a zone that is none. In the zone of this machine when options name none. */
export const dateTimeFormat = once(
  (locale, options: Intl.DateTimeFormatOptions | undefined) => new Intl.DateTimeFormat(locale, options),
  // Who travels with a window open goes on in another zone.
  options => (options?.timeZone === undefined ? new Date().getTimezoneOffset() : undefined),
);

/** Spans of time as a locale says them. */
export const relativeTimeFormat = once(
  (locale, options: Intl.RelativeTimeFormatOptions | undefined) => new Intl.RelativeTimeFormat(locale, options),
);

/** Several words in one sentence. */
export const listFormat = once((locale, options: Intl.ListFormatOptions | undefined) => new Intl.ListFormat(locale, options));

/** The order of words. */
export const collator = once((locale, options: Intl.CollatorOptions | undefined) => new Intl.Collator(locale, options));
