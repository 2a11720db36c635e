import { isRecord } from '../isRecord';
import type { TranscriptEvent } from './event';

export type Fields = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): Fields | undefined {
  return isRecord(value) ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a non-empty string, or `undefined` for '' and for any other value. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Returns the id of an event. A looser dialect calls the id of a message `message_id`. */
export function idOf(event: TranscriptEvent): string | undefined {
  return textOf(event.id) ?? textOf(event.message_id);
}

/** Returns the id of the call in a result or an answer: the id of the call's event, or the id that the model gave the call. */
export function callIdOf(event: TranscriptEvent): string | undefined {
  return textOf(event.tool_use_id) ?? textOf(event.mcp_tool_use_id) ?? textOf(event.custom_tool_use_id);
}

/** Returns the greater of two numbers, or the only known number. */
export function greater(first: number | undefined, second: number | undefined): number | undefined {
  return first === undefined ? second : second === undefined ? first : Math.max(first, second);
}

/** A time of the service's clock. `isCoarse` is true for a time in whole seconds. */
export interface Moment {
  readonly ms: number;
  readonly isCoarse: boolean;
}

/** Time fields of an event, in any dialect. Events that a user sends get these times later. */
export const timeFields: ReadonlySet<string> = new Set(['processed_at', 'created_at', 'timestamp', 'processed_at_ms', 'ts']);

export function momentOf(event: TranscriptEvent): Moment | undefined {
  const moment = toMoment(event.created_at) ?? toMoment(event.processed_at);
  if (moment === undefined) {
    const ms = numberOf(event.processed_at_ms) ?? numberOf(event.ts);
    return ms === undefined ? undefined : { ms, isCoarse: false };
  }
  if (!moment.isCoarse) {
    return moment;
  }
  // Some servers round their own times down and pass on the more precise time of the agent's process.
  const finer = toMoment(event.timestamp);
  return finer !== undefined && finer.ms >= moment.ms && finer.ms < moment.ms + 1000 ? finer : moment;
}

/** Parses an RFC 3339 time. */
export function toMoment(value: unknown): Moment | undefined {
  if (typeof value !== 'string' || value === '') {
    return undefined;
  }
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : { ms, isCoarse: !value.includes('.') };
}

/** Returns the milliseconds between two moments. `undefined` if a time is missing, too coarse, or the order is reversed. */
export function millisecondsBetween(from: Moment | undefined, to: Moment | undefined): number | undefined {
  if (from === undefined || to === undefined) {
    return undefined;
  }
  const ms = to.ms - from.ms;
  return ms < 0 || (ms < 1000 && (from.isCoarse || to.isCoarse)) ? undefined : ms;
}

/** Returns whether a moment is not before another moment, within their resolution. */
export function isNotBefore(moment: Moment, other: Moment): boolean {
  const seconds = moment.isCoarse || other.isCoarse;
  return seconds ? Math.floor(moment.ms / 1000) >= Math.floor(other.ms / 1000) : moment.ms >= other.ms;
}
