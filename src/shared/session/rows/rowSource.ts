import type { TranscriptEvent } from '../event';
import { type Moment, textOf } from '../eventFields';
import type { Row, RowKind } from './rows';

/** From one event to another one; without `until` to the last. */
export interface HoldPlace {
  readonly seq: number;
  readonly until?: number;
}

/** What a row is made of: places of events in the log. Rows are built from it again whenever one of them comes or changes. */
export class RowSource {
  /** The event in which the service told the same call again. */
  again: number | undefined = undefined;
  /** The event that made the call wait for the user, and the event id to answer with. */
  ask: number | undefined = undefined;
  askId: string | undefined = undefined;
  confirmation: number | undefined = undefined;
  result: number | undefined = undefined;
  /** When the call was held up by asks of others, in order; the last may still be. */
  holds: readonly HoldPlace[] | undefined = undefined;
  /** The end of the turn that left the call without a result. */
  ended: number | undefined = undefined;
  /** What ended had its result in another thread, whose own log tells it. */
  isElsewhere = false;
  /** The end of a span. */
  end: number | undefined = undefined;
  /** The event that shows that a span without an end goes on no more. */
  cut: number | undefined = undefined;
  /** The first progress of a span. */
  progress: number | undefined = undefined;
  /** Of the first call of a model request: the request. */
  request: RowSource | undefined = undefined;
  /** Of a model request: its first call. */
  call: RowSource | undefined = undefined;
  /** Events that have no row of their own since they belong to this one. */
  folded: number[] | undefined = undefined;

  constructor(
    readonly key: string,
    /** Place of the event it stands for; of a gap, of the event after it. */
    readonly seq: number,
    /** Place among the stored rows. */
    readonly index: number,
    readonly build: RowBuilder,
    /** Of a gap. */
    public problem?: string,
  ) {}
}

/** What builders of rows see of the log. `limit` is how much of a long text goes into a part. */
export interface RowContext {
  readonly limit: number;
  /** Thread whose log is shown; undefined while it is not known. */
  readonly shownThread: string | undefined;
  eventAt(seq: number): TranscriptEvent;
  /** Key of the event at a place. */
  keyAt(seq: number): string;
  /** When the event at a place happened. */
  momentAt(seq: number | undefined): Moment | undefined;
  /** Place of the event that shows that what a client sent, at `seq`, was taken up. */
  takenUpBy(seq: number): number | undefined;
  /** Returns the index of the event that left the sent event at `seq` over. */
  leftBy(seq: number): number | undefined;
  /** Name of the agent of a thread, as far as events told it. */
  agentNameOf(thread: string): string | undefined;
}

/** What those see of the log that find out which events belong together. */
export interface LinkedLog extends RowContext {
  /** Sources of rows that have to be built again. */
  readonly dirty: Set<RowSource>;
  /** The session has ended for good: nothing that comes now goes on. */
  readonly isOver: boolean;
  /** Place of the event with this key. */
  placeOf(key: string): number | undefined;
  /** What the row of an event is made of. */
  ownerOf(seq: number): RowSource | undefined;
  /** A row of its own for the event that came last. */
  createSource(event: TranscriptEvent, seq: number, key: string): RowSource;
}

export type RowBuilder = (source: RowSource, context: RowContext) => Row;

/** Thread an event names. */
export function threadOf(event: TranscriptEvent): string | undefined {
  return textOf(event.session_thread_id);
}

/** Thread an event came from, when it is not the shown one. */
export function foreignThreadOf(event: TranscriptEvent, shown: string | undefined): string | undefined {
  const thread = threadOf(event);
  return thread === shown ? undefined : thread;
}

/** A row while it is being built. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The fields that every row has. */
function toRowBase<K extends RowKind>(source: RowSource, context: RowContext, kind: K, summary: string): RowBase<K> {
  const event = context.eventAt(source.seq);
  const thread = foreignThreadOf(event, context.shownThread);
  const base: RowBase<K> = { key: source.key, kind, type: event.type, seq: source.seq, at: context.momentAt(source.seq)?.ms, summary };
  if (thread !== undefined) {
    base.thread = thread;
  }
  return base;
}

/**
 * A row with its builder's own fields. They are added in place: V8 gives each object that a spread and further fields make here a
 * hidden class of its own, which takes four times the memory and slows down all who read rows.
 */
export function toRow<K extends RowKind, F extends object>(
  source: RowSource,
  context: RowContext,
  kind: K,
  summary: string,
  own: F,
): RowBase<K> & F {
  return Object.assign(toRowBase(source, context, kind, summary), own);
}

interface RowBase<K extends RowKind> {
  key: string;
  kind: K;
  type: string;
  seq: number;
  at: number | undefined;
  summary: string;
  thread?: string;
}
