import { toolRowAt } from './buildToolRow';
import type { MessageRow, ModelRow, OutcomeRow, Row } from './rows';

/** A row as it stood after event `seq`; undefined when it was not there yet. What came later than that is left out. */
export function rowAt(row: Row, seq: number): Row | undefined {
  if (row.seq > seq) {
    return undefined;
  }
  switch (row.kind) {
    case 'user':
    case 'system':
      return deliveryAt(row, seq);
    case 'tool':
      return toolRowAt(row, seq);
    case 'model':
      return modelRowAt(row, seq);
    case 'outcome':
      return deliveryAt(outcomeRowAt(row, seq), seq);
    default:
      return row;
  }
}

function deliveryAt<R extends MessageRow | OutcomeRow>(row: R, seq: number): R {
  if (row.takenUpSeq === undefined || row.takenUpSeq <= seq) {
    return row;
  }
  const { takenUpSeq: _, ...rest } = row;
  return { ...rest, delivery: 'queued' } as R;
}

function modelRowAt(row: ModelRow, seq: number): ModelRow {
  if (row.endSeq === undefined || row.endSeq <= seq) {
    return row;
  }
  const { endSeq: _, endAt: _at, durationMs: _duration, tokens: _tokens, ...rest } = row;
  return { ...rest, ended: false, isError: false };
}

function outcomeRowAt(row: OutcomeRow, seq: number): OutcomeRow {
  const { endSeq, progressSeq, result, explanation, ...rest } = row;
  const hasProgress = progressSeq !== undefined && progressSeq <= seq;
  // Progress never comes after the end.
  if (endSeq === undefined ? hasProgress === (progressSeq !== undefined) : endSeq <= seq) {
    return row;
  }
  return { ...rest, summary: '', step: hasProgress ? 'ongoing' : 'started', ...(hasProgress ? { progressSeq } : {}) };
}
