import type { TranscriptEvent } from './event';

/** An object whose fields are not known to be of any kind. */
export type Fields = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text that says something; undefined for '' and for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Id of an event; a looser dialect calls that of a message `message_id`. */
export function idOf(event: TranscriptEvent): string | undefined {
  return textOf(event.id) ?? textOf(event.message_id);
}

/** A moment by the service's clock, and whether it is told in whole seconds only. */
export interface Moment {
  readonly ms: number;
  readonly isCoarse: boolean;
}

/** When an event happened; undefined when it does not say. */
export function momentOf(event: TranscriptEvent): Moment | undefined {
  const told = toMoment(event.created_at) ?? toMoment(event.processed_at);
  if (told === undefined) {
    const ms = numberOf(event.processed_at_ms) ?? numberOf(event.ts);
    return ms === undefined ? undefined : { ms, isCoarse: false };
  }
  if (!told.isCoarse) {
    return told;
  }
  // Some servers round their own times down and pass the finer time of the agent's process on.
  const finer = toMoment(event.timestamp);
  return finer !== undefined && finer.ms >= told.ms && finer.ms < told.ms + 1000 ? finer : told;
}

/** A moment from an RFC 3339 text. */
export function toMoment(value: unknown): Moment | undefined {
  if (typeof value !== 'string' || value === '') {
    return undefined;
  }
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : { ms, isCoarse: !value.includes('.') };
}

/** Milliseconds from one moment to another; undefined where the times are missing, too coarse to tell, or run backwards. */
export function millisecondsBetween(from: Moment | undefined, to: Moment | undefined): number | undefined {
  if (from === undefined || to === undefined) {
    return undefined;
  }
  const ms = to.ms - from.ms;
  return ms < 0 || (ms < 1000 && (from.isCoarse || to.isCoarse)) ? undefined : ms;
}

/** Whether a moment is not before another one, as far as their resolution tells. */
export function isNotBefore(moment: Moment, other: Moment): boolean {
  const seconds = moment.isCoarse || other.isCoarse;
  return seconds ? Math.floor(moment.ms / 1000) >= Math.floor(other.ms / 1000) : moment.ms >= other.ms;
}
