import { dateTimeFormat, numberFormat } from '../../shared/formats';
import type { Translate } from '../../shared/session/translateText';

/** Formats a duration, for example `450 ms`, `4.5 s`, `3 min 12 s` or `3 d 4 h`. Only durations from 1 s to 10 s have a decimal. */
export function toDuration(milliseconds: number, { t, locale }: { t: Translate; locale: string }): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 0.9995) {
    return t('{0} ms', Math.round(seconds * 1000));
  }
  if (seconds < 9.95) {
    return t('{0} s', numberFormat(locale, { maximumFractionDigits: 1 }).format(seconds));
  }
  return toWholeDuration(Math.round(seconds), t);
}

/** Formats a duration without decimals, for running clocks. */
export function toWholeDuration(seconds: number, t: Translate): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) {
    return t('{0} s', whole);
  }
  if (whole < 3600) {
    return t('{0} min {1} s', Math.floor(whole / 60), whole % 60);
  }
  if (whole < 86_400) {
    return t('{0} h {1} min', Math.floor(whole / 3600), Math.floor(whole / 60) % 60);
  }
  return t('{0} d {1} h', Math.floor(whole / 86_400), Math.floor(whole / 3600) % 24);
}

/** Formats a short count: `1.2K`, `35M`. */
export function toShortCount(value: number, locale: string): string {
  return numberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

/**
 * Formats an amount in hundredths, with at most `decimals` decimals or as many as the currency has. Shows an unknown currency as its code.
 */
export function toMoney({ cents, currency }: { cents: number; currency: string }, locale: string, decimals?: number): string {
  const amount = cents / 100;
  const rounding = decimals === undefined ? {} : { maximumFractionDigits: decimals };
  try {
    return numberFormat(locale, { style: 'currency', currency, ...rounding }).format(amount);
  } catch {
    return `${numberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: decimals ?? 2 }).format(amount)} ${currency}`;
  }
}

/** Formats a moment of the service's clock: the time of day, with the date if it isn't `today`. */
export function toMoment(at: number, locale: string, today: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) {
    return '';
  }
  const isToday = date.toDateString() === new Date(today).toDateString();
  return dateTimeFormat(locale, isToday ? { timeStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'medium' }).format(date);
}
