import type { Row } from '../../../shared/session/rows';

/** The row as it was after the event `seq`, for a replay; undefined when it was not there yet. */
export function rowAtSeq(row: Row, seq: number): Row | undefined {
  if (row.seq > seq) {
    return undefined;
  }
  if (row.kind === 'model' && row.endSeq !== undefined && row.endSeq > seq) {
    const { endSeq: _, durationMs: __, tokens: ___, ...open } = row;
    return { ...open, ended: false, isError: false };
  }
  if (row.kind !== 'tool') {
    return row;
  }
  const { confirmation, result } = row;
  const isAnswered = confirmation === undefined || confirmation.seq <= seq;
  const hasResult = result !== undefined && result.seq <= seq;
  if (isAnswered && (hasResult || result === undefined)) {
    return row;
  }
  const { confirmation: _, result: __, durationMs: ___, ...call } = row;
  const isAsked = confirmation !== undefined || row.permission === 'ask' || row.tool === 'custom';
  return {
    ...call,
    ...(confirmation !== undefined && isAnswered ? { confirmation } : {}),
    state: isAsked && (confirmation === undefined || !isAnswered) ? 'waiting' : 'running',
  };
}
