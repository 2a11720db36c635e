type Locale = string | undefined;

/** Maximum number of cached formats. Time zones and currencies come from outside, so their number is unbounded. */
const maxFormats = 200;

/** Caches the formats that `create` returns, because creating one costs a hundred times as much as using it. */
function cached<O extends object, T>(create: (locale: Locale, options: O | undefined) => T): (locale?: string, options?: O) => T {
  const formats = new Map<string, T>();
  return (locale, options) => {
    // The time zone of the machine can change while the window is open.
    const key = JSON.stringify([locale, options, new Date().getTimezoneOffset()]);
    let format = formats.get(key);
    if (format === undefined) {
      format = create(locale, options);
      if (formats.size >= maxFormats) {
        formats.clear();
      }
      formats.set(key, format);
    }
    return format;
  };
}

export const numberFormat = cached((locale, options: Intl.NumberFormatOptions | undefined) => new Intl.NumberFormat(locale, options));

export function toNumber(value: number, locale?: string): string {
  return numberFormat(locale).format(value);
}

/** Date format of a locale, by default in this machine's time zone. Throws a `RangeError` for an invalid zone. */
export const dateTimeFormat = cached((locale, options: Intl.DateTimeFormatOptions | undefined) => new Intl.DateTimeFormat(locale, options));

export const relativeTimeFormat = cached(
  (locale, options: Intl.RelativeTimeFormatOptions | undefined) => new Intl.RelativeTimeFormat(locale, options),
);

export const listFormat = cached((locale, options: Intl.ListFormatOptions | undefined) => new Intl.ListFormat(locale, options));

export const collator = cached((locale, options: Intl.CollatorOptions | undefined) => new Intl.Collator(locale, options));
