import type { Row, RowKind } from '../../../shared/session/rows/rows';

/** Kinds of rows of which most are bookkeeping. */
const kinds: ReadonlySet<RowKind> = new Set(['status', 'model', 'usage']);

/**
 * Whether a row only tells that all goes as it should: it runs, rests after its turn, asked the model, used tokens. Never one that
 * tells of an error, a wait, an end, or of anything that is not known.
 */
export function isBookkeeping(row: Row): boolean {
  switch (row.kind) {
    case 'status':
      return (
        row.waitsFor === undefined &&
        (row.status === 'running' || (row.status === 'idle' && (row.stopReason === undefined || row.stopReason === 'end_turn')))
      );
    case 'model':
      return row.ended && !row.isError;
    case 'usage':
      return true;
    default:
      return false;
  }
}

/** Whether rows may be folded away where these kinds are shown, of so many rows: not where nothing else was asked for. Undefined are all kinds. */
export function mayFold(shown: ReadonlySet<RowKind> | undefined, counts: ReadonlyMap<RowKind, number>): boolean {
  return shown === undefined || [...shown].some(kind => !kinds.has(kind) && (counts.get(kind) ?? 0) > 0);
}
