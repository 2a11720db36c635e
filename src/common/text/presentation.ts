import { dateTimeFormat, numberFormat, relativeTimeFormat } from '../../shared/formats';
import { join, toLabel } from '../../shared/text';
import type { Translate } from './translate';

/** Row of a view. `icon` is a codicon, `color` a theme colour. */
export interface RowPresentation {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly color: string | undefined;
  /** Words for the `when` clauses of the row's menu, separated by spaces. The clauses match a word with `\b`. */
  readonly abilities: string;
  readonly spoken: string;
}

/** Returns a row from its label and description. Empty words are left out. */
export function toRow(
  label: string,
  words: readonly string[],
  style: { readonly icon: string; readonly color?: string | undefined; readonly abilities: readonly string[] },
): RowPresentation {
  const { icon, color, abilities } = style;
  return { label, description: join(' · ', ...words), icon, color, abilities: abilities.join(' '), spoken: join(', ', label, ...words) };
}

/** Settings for formatting. `now` is in milliseconds since 1970. */
export interface PresentationContext {
  readonly translate: Translate;
  readonly locale: string;
  readonly now: number;
}

export function describeRequests(count: number, context: { readonly translate: Translate; readonly locale?: string | undefined }): string {
  const { translate: t, locale } = context;
  return count === 1 ? t('1 request') : t('{0} requests', numberFormat(locale).format(count));
}

/** Shortens an ID to leave room for other text. The hover shows the whole ID. */
export function shortId(id: string): string {
  return id.length > 18 ? `${toLabel(id.slice(0, 12), 60)}…${toLabel(id.slice(-4), 60)}` : toLabel(id, 60);
}

/** Returns the name of a resource on one line, or its short ID if the name is empty or invisible. */
export function nameOrId(name: string | null | undefined, id: string, most = 80): string {
  const label = toLabel(name ?? '', most);
  return label.trim() === '' ? shortId(id) : label;
}

const nowOptions = { numeric: 'auto' } as const;
/** Format of an age. Always with a number, because "tomorrow" would be ambiguous for 36 hours. */
const ageOptions = { numeric: 'always', style: 'short' } as const;

/**
 * Returns `3 min. ago` or `in 36 hr.` in the user's language, rounded down. Empty if the time is unknown. A future time has a unit with a
 * count of at least 2, because `in 1 day` would hide up to a day.
 */
export function describeAge(time: string | null | undefined, { locale, now }: PresentationContext): string {
  const then = Date.parse(time ?? '');
  if (Number.isNaN(then)) {
    return '';
  }
  const seconds = (then - now) / 1000;
  const unit = Math.abs(seconds) < minAge ? undefined : unitOf(seconds > 0 ? seconds / 2 : -seconds);
  return unit === undefined
    ? relativeTimeFormat(locale, nowOptions).format(0, 'second')
    : relativeTimeFormat(locale, ageOptions).format(Math.trunc(seconds / unit[1]), unit[0]);
}

/** Returns the age of a past event. If the service's clock is ahead, the time counts as now. */
export function describeSince(time: string | null | undefined, context: PresentationContext): string {
  return describeAge(Date.parse(time ?? '') > context.now ? new Date(context.now).toISOString() : time, context);
}

/** Returns the milliseconds until an age or duration can change. Infinity if the time is unknown. */
export function ageStays(time: string | null | undefined, now: number): number {
  const age = now - Date.parse(time ?? '');
  if (Number.isNaN(age)) {
    return Number.POSITIVE_INFINITY;
  }
  const [, length] = unitOf(Math.max(age, 0) / 1000);
  const step = length * 1000;
  return age < 0 ? -age : step - (age % step);
}

/** Returns host and port of a connection, or the unchanged address if it is invalid. */
export function hostOf({ baseUrl }: { readonly baseUrl: string }): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

/** Returns `Team (api.example.com)`, or only the host if the connection has the same name. */
export function nameWithHost({ name, host }: { readonly name: string; readonly host: string }): string {
  return host === '' || name === host ? name : `${name} (${host})`;
}

/** Formats a duration as `3 min` in the user's language, rounded down, at least one second. */
export function describeDuration(milliseconds: number, locale: string): string {
  const seconds = Math.max(milliseconds / 1000, 1);
  const [unit, length] = unitOf(seconds);
  return numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(Math.trunc(seconds / length));
}

/** Formats date and time in the user's language and time zone. `-` if the time is unknown. */
export function describeTime(time: string | null | undefined, { locale }: Pick<PresentationContext, 'locale'>): string {
  const parsed = Date.parse(time ?? '');
  return Number.isNaN(parsed) ? '-' : dateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(parsed);
}

/** Formats a time and its age, `16 Nov 2026, 10:00:00 (3 days ago)`. Empty if the time is unknown. */
export function describeMoment(time: string | null | undefined, context: PresentationContext): string {
  return time ? `${describeTime(time, context)} (${describeAge(time, context)})` : '';
}

/** Shortest age that is shown, in seconds. A shorter age counts as now. */
const minAge = 5;

type Unit = readonly [name: 'day' | 'hour' | 'minute' | 'second', seconds: number];
const second: Unit = ['second', 1];
const units: readonly Unit[] = [['day', 86_400], ['hour', 3_600], ['minute', 60], second];

function unitOf(seconds: number): Unit {
  return units.find(([, length]) => seconds >= length) ?? second;
}
