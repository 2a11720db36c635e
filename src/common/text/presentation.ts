import { dateTimeFormat, numberFormat, relativeTimeFormat } from '../../shared/formats';
import { toLabel } from '../../shared/text';
import type { Translate } from './translate';

/** What a row of a view shows; `icon` is a codicon, `color` a theme colour. */
export interface RowPresentation {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly color: string | undefined;
  /** Ability words that menus match with `\b`. */
  readonly abilities: string;
  /** The row in words, for screen readers. */
  readonly spoken: string;
}

/** Makes a row of its label and the words beside it, without those that are empty. */
export function toRow(
  label: string,
  words: readonly string[],
  looks: { readonly icon: string; readonly color?: string | undefined; readonly abilities: readonly string[] },
): RowPresentation {
  const { icon, color, abilities } = looks;
  return { label, description: join(' · ', ...words), icon, color, abilities: abilities.join(' '), spoken: join(', ', label, ...words) };
}

/** What presentations need of their surroundings. `now` is milliseconds since 1970. */
export interface PresentationContext {
  readonly translate: Translate;
  readonly locale: string;
  readonly now: number;
}

/** The parts that say something, with a separator between them. */
export function join(separator: string, ...parts: readonly string[]): string {
  return parts.filter(part => part !== '').join(separator);
}

/** An id short enough to leave room for what stands beside it; the hover has it whole. */
export function shortId(id: string): string {
  return id.length > 18 ? `${toLabel(id.slice(0, 12), 60)}…${toLabel(id.slice(-4), 60)}` : toLabel(id, 60);
}

/** What a thing of the service is called, on one line: its short id where its name is empty or shows nothing. */
export function nameOrId(name: string | null | undefined, id: string, most = 80): string {
  const label = toLabel(name ?? '', most);
  return label.trim() === '' ? shortId(id) : label;
}

const nowOptions = { numeric: 'auto' } as const;
/** In numbers: a day and a half from now may be tomorrow or the day after. */
const ageOptions = { numeric: 'always', style: 'short' } as const;

/**
 * Returns `3 min. ago` or `in 36 hr.` in the user's language, rounded down; empty if the time is unknown. A time in the future is given in
 * a unit of which at least two remain: `in 1 day` would hide up to a day.
 */
export function describeAge(time: string | null | undefined, { locale, now }: PresentationContext): string {
  const then = Date.parse(time ?? '');
  if (Number.isNaN(then)) {
    return '';
  }
  const seconds = (then - now) / 1000;
  const unit = Math.abs(seconds) < leastAge ? undefined : unitOf(seconds > 0 ? seconds / 2 : -seconds);
  return unit === undefined
    ? relativeTimeFormat(locale, nowOptions).format(0, 'second')
    : relativeTimeFormat(locale, ageOptions).format(Math.trunc(seconds / unit[1]), unit[0]);
}

/** The age of something that has happened. A service whose clock is ahead of ours has not done it in the future. */
export function describeSince(time: string | null | undefined, context: PresentationContext): string {
  const then = Date.parse(time ?? '');
  return then > context.now ? describeAge(new Date(context.now).toISOString(), context) : describeAge(time, context);
}

/**
 * Milliseconds for which the words of `describeSince`, `describeAge` and `describeDuration` on this time stay as they are, at least; endless where
 * the time is not known.
 */
export function ageStays(time: string | null | undefined, now: number): number {
  const age = now - Date.parse(time ?? '');
  if (Number.isNaN(age)) {
    return Number.POSITIVE_INFINITY;
  }
  const [, length] = unitOf(Math.max(age, 0) / 1000);
  const step = length * 1000;
  return age < 0 ? -age : step - (age % step);
}

/** Host and port that a connection leads to; its address as it stands where that is none. */
export function hostOf({ baseUrl }: { readonly baseUrl: string }): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

/** `Team (api.example.com)`; a connection that is called like its host is told once. */
export function nameWithHost({ name, host }: { readonly name: string; readonly host: string }): string {
  return host === '' || name === host ? name : `${name} (${host})`;
}

/** `3 min`, in the user's language, rounded down; at least one second. */
export function describeDuration(milliseconds: number, locale: string): string {
  const seconds = Math.max(milliseconds / 1000, 1);
  const [unit, length] = unitOf(seconds);
  return numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(Math.trunc(seconds / length));
}

/** Date and time of day in the user's language and time zone; `-` when the time is not known. */
export function describeTime(time: string | null | undefined, { locale }: Pick<PresentationContext, 'locale'>): string {
  const parsed = Date.parse(time ?? '');
  return Number.isNaN(parsed) ? '-' : dateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(parsed);
}

/** A time and its age, `16 Nov 2026, 10:00:00 (3 days ago)`; empty where there is none. */
export function describeMoment(time: string | null | undefined, context: PresentationContext): string {
  return time ? `${describeTime(time, context)} (${describeAge(time, context)})` : '';
}

/** Seconds; what is younger is now. */
const leastAge = 5;

type Unit = readonly [name: 'day' | 'hour' | 'minute' | 'second', seconds: number];
const second: Unit = ['second', 1];
const units: readonly Unit[] = [['day', 86_400], ['hour', 3_600], ['minute', 60], second];

/** The largest unit that fits in so many seconds. */
function unitOf(seconds: number): Unit {
  return units.find(([, length]) => seconds >= length) ?? second;
}
