import type { TranscriptEvent } from './event';
import { type Moment, momentOf, textOf } from './eventFields';
import type { Row, RowKind } from './rows';

/** What a row is made of: places of events in the log. Rows are built from it again whenever one of them comes or changes. */
export interface RowSource {
  readonly key: string;
  /** Place of the event it stands for; of a gap, of the event after it. */
  readonly seq: number;
  /** Place among the stored rows. */
  readonly index: number;
  readonly build: RowBuilder;
  /** The event in which the service told the same call again. */
  again?: number;
  /** The event that made the call wait for the user, and the event id to answer with. */
  ask?: number;
  askId?: string;
  confirmation?: number;
  result?: number;
  /** The end of the turn that left the call without a result. */
  ended?: number;
  /** The end of a span; for a request to the model that was cut off, the event that shows it. */
  end?: number;
  /** The latest progress of a span. */
  progress?: number;
  problem?: string;
}

/** What builders of rows see of the log. `limit` is how much of a long text goes into a part. */
export interface RowContext {
  readonly limit: number;
  /** Thread whose log is shown; undefined while it is not known. */
  readonly shownThread: string | undefined;
  eventAt(seq: number): TranscriptEvent;
  /** Name of the agent of a thread, as far as events told it. */
  agentNameOf(thread: string): string | undefined;
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

/** The fields that every row has. */
export function toRowBase<K extends RowKind>(source: RowSource, context: RowContext, kind: K, summary: string) {
  const event = context.eventAt(source.seq);
  const thread = foreignThreadOf(event, context.shownThread);
  const base = { key: source.key, kind, type: event.type, seq: source.seq, at: momentOf(event)?.ms, summary };
  return thread === undefined ? base : { ...base, thread };
}

/** Moment of the event at a place, if there is one. */
export function momentAt(context: RowContext, seq: number | undefined): Moment | undefined {
  return seq === undefined ? undefined : momentOf(context.eventAt(seq));
}
