import type { ModelRow, Row } from '../rows/rows';

/** Something that a request to the model was given to read and the one before it was not; a tool stands for its result. */
export interface ContextEntry {
  readonly row: Row;
  /** Place of the event that brought it. */
  readonly seq: number;
}

export interface RequestContext {
  /** In the order in which it came. */
  readonly entries: readonly ContextEntry[];
  /** The request before it, in the same thread; undefined for the first of the log. */
  readonly before: ModelRow | undefined;
}

/**
 * What came into the context of a thread between a request to the model and the one before it, as far as events tell: messages, results of
 * tools, words of other threads, outcomes, compactions. It is no prompt: that is told nowhere. Linear in the number of rows.
 */
export function toRequestContext(rows: readonly Row[], request: ModelRow): RequestContext {
  let before: ModelRow | undefined;
  for (const row of rows) {
    if (row.kind === 'model' && row.seq < request.seq && row.thread === request.thread) {
      before = row;
    }
  }
  const from = before?.seq ?? -1;
  const entries = rows.flatMap(row => {
    const seq = row.thread === request.thread ? placeOf(row) : undefined;
    return seq !== undefined && seq > from && seq < request.seq ? [{ row, seq }] : [];
  });
  return { entries: entries.sort((a, b) => a.seq - b.seq), before };
}

/** Place of the event by which a row came into the context; undefined where it never did. */
function placeOf(row: Row): number | undefined {
  switch (row.kind) {
    case 'user':
    case 'system':
      return row.delivery === undefined || row.delivery === 'delivered' ? (row.takenUpSeq ?? row.seq) : undefined;
    case 'agent':
      return row.preview === true ? undefined : row.seq;
    case 'tool':
      return row.result?.seq ?? (row.state === 'denied' ? row.confirmation?.seq : undefined);
    case 'thread':
      return row.step === 'received' ? row.seq : undefined;
    case 'outcome':
      return row.step === 'defined' ? row.seq : row.endSeq;
    case 'compaction':
      return row.seq;
    default:
      return undefined;
  }
}
