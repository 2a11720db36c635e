import { toolRowAt } from './buildToolRow';
import type { MessageRow, ModelRow, OutcomeRow, Row, RunRow } from './rows';

/** Returns a row as it was after event `seq`; `undefined` if it did not exist yet. */
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
    case 'run':
      return runRowAt(row, seq);
    case 'outcome':
      return deliveryAt(outcomeRowAt(row, seq), seq);
    default:
      return row;
  }
}

function deliveryAt<R extends MessageRow | OutcomeRow>(row: R, seq: number): R {
  const { takenUpSeq = 0, leftSeq = 0, ...rest } = row;
  if (takenUpSeq <= seq && leftSeq <= seq) {
    return row;
  }
  return { ...rest, ...(row.leftSeq !== undefined && leftSeq <= seq ? { delivery: 'undelivered', leftSeq } : { delivery: 'queued' }) } as R;
}

function modelRowAt(row: ModelRow, seq: number): ModelRow {
  if (row.endSeq === undefined || row.endSeq <= seq) {
    return row;
  }
  const { endSeq: _, endAt: _at, cutSeq, cutAt, durationMs: _duration, tokens: _tokens, byModel: _byModel, ...rest } = row;
  return cutSeq === undefined || cutSeq > seq
    ? { ...rest, ended: false, isError: false }
    : { ...rest, ended: true, isError: false, endSeq: cutSeq, ...(cutAt === undefined ? {} : { endAt: cutAt }) };
}

function runRowAt(row: RunRow, seq: number): RunRow {
  const { endSeq, result: _, ...rest } = row;
  return endSeq === undefined || endSeq <= seq ? row : rest;
}

function outcomeRowAt(row: OutcomeRow, seq: number): OutcomeRow {
  const { endSeq, progressSeq, cutSeq, result, explanation, ...rest } = row;
  const isPast = (eventSeq: number | undefined): boolean => eventSeq !== undefined && eventSeq <= seq;
  if (isPast(endSeq) || [endSeq, progressSeq, cutSeq].every(eventSeq => eventSeq === undefined || isPast(eventSeq))) {
    return row;
  }
  return {
    ...rest,
    summary: '',
    step: isPast(cutSeq) ? 'cut' : isPast(progressSeq) ? 'ongoing' : 'started',
    ...(progressSeq !== undefined && isPast(progressSeq) ? { progressSeq } : {}),
    ...(cutSeq !== undefined && isPast(cutSeq) ? { cutSeq } : {}),
  };
}
