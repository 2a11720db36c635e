import type { ModelRow, OutcomeRow, Row } from './rows';
import { toolRowAt } from './toolRow';

/** A row as it stood after event `seq`; undefined when it was not there yet. What came later than that is left out. */
export function rowAt(row: Row, seq: number): Row | undefined {
  if (row.seq > seq) {
    return undefined;
  }
  switch (row.kind) {
    case 'tool':
      return toolRowAt(row, seq);
    case 'model':
      return modelRowAt(row, seq);
    case 'outcome':
      return outcomeRowAt(row, seq);
    default:
      return row;
  }
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
