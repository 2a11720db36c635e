import type { Deliveries } from '../deliveries';
import type { TranscriptEvent } from '../event';
import type { Moment } from '../eventFields';
import type { EventMoment, Row, RowBase, RowKind } from './rows';

/** Indexes of the events from which a row is built. The row is built again whenever one of these events is added or changes. */
export class RowSource {
  /** The event in which the service repeated the call. */
  again: number | undefined = undefined;
  /** The event that made the call wait for the user, and the event id for the answer. */
  ask: number | undefined = undefined;
  askId: string | undefined = undefined;
  confirmation: number | undefined = undefined;
  result: number | undefined = undefined;
  /** The first event that blocked the call because of other asks, and the last event that unblocked the call. */
  held: number | undefined = undefined;
  released: number | undefined = undefined;
  isHeld = false;
  /** The end of the turn that left the call without a result. */
  ended: number | undefined = undefined;
  /** True if the call ended in another thread, whose log has the result. */
  isElsewhere = false;
  end: number | undefined = undefined;
  /** The event that shows that a span without an end has stopped. */
  cut: number | undefined = undefined;
  progress: number | undefined = undefined;
  /** Model request of the call, if the call is the request's first call. */
  request: RowSource | undefined = undefined;
  /** First call of the model request, if this is the source of a model request. */
  call: RowSource | undefined = undefined;
  /** Events that are part of this row and have no row of their own. */
  folded: number[] | undefined = undefined;

  constructor(
    readonly key: string,
    readonly seq: number,
    readonly index: number,
    readonly build: RowBuilder,
  ) {}
}

/** The log, as row builders see it. `limit` is the maximum length of text in a part. */
export interface RowContext {
  readonly limit: number;
  readonly shownThread: string | undefined;
  readonly deliveries: Deliveries;
  eventAt(seq: number): TranscriptEvent;
  /** Returns the thread of an event if that thread is not the displayed one. */
  threadAt(seq: number): string | undefined;
  keyAt(seq: number): string;
  momentAt(seq: number | undefined): Moment | undefined;
  agentNameOf(thread: string): string | undefined;
}

/** The log, as seen by the code that links events. */
export interface LinkedLog extends RowContext {
  /** Sources whose rows have to be built again. */
  readonly dirty: Set<RowSource>;
  /** True once the session has ended for good. No call or span continues then. */
  readonly isOver: boolean;
  indexOf(key: string): number | undefined;
  ownerOf(seq: number | undefined): RowSource | undefined;
  createSource(event: TranscriptEvent, seq: number, key: string): RowSource;
}

/** Builds the row of `source`. `event` is the row's own event. */
export type RowBuilder = (source: RowSource, context: RowContext, event: TranscriptEvent) => Row;

/** Adds a builder's own fields in place. V8 gives each spread object its own hidden class, with four times the size. */
export function toRow<K extends RowKind, F extends object>(
  source: RowSource,
  context: RowContext,
  kind: K,
  summary: string,
  own: F,
): RowBase & { readonly kind: K } & F {
  const thread = context.threadAt(source.seq);
  const origin: { readonly thread?: string } = thread === undefined ? {} : { thread };
  const { type } = context.eventAt(source.seq);
  const base = { key: source.key, kind, type, seq: source.seq, at: context.momentAt(source.seq)?.ms, summary };
  return Object.assign(base, origin, own);
}

/** Returns the index and time of an event, for a field of a row. */
export function placed(seq: number, context: RowContext): EventMoment {
  return { seq, at: context.momentAt(seq)?.ms };
}

export function placedIfAny(seq: number | undefined, context: RowContext): EventMoment | undefined {
  return seq === undefined ? undefined : placed(seq, context);
}
