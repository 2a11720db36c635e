import type { ComparedKind } from '../../shared/comparison/comparedKinds';
import { normaliseMessage } from '../querying/errorClusters';
import { resultStates } from '../results/resultsReport';

import { isAsExpected } from './expectationMarks';
import { isSameAnswer } from './sameAnswer';
import type { SideReader } from './sideReader';

const succeededState = resultStates.indexOf('succeeded');
const erroredState = resultStates.indexOf('errored');

/** A row of one of the runs, and what it is by what is expected of it. */
export interface PairedRow {
  readonly side: SideReader;
  readonly row: number;
  readonly mark: number;
}

/** What became of a request that has a result in both. `texts` are the words of both answers, read when they are asked for. */
export function kindOfPair(before: PairedRow, after: PairedRow, texts: () => readonly [string, string]): ComparedKind {
  const gain = after.side.worth(after.row) - before.side.worth(before.row) || expectedGain(before.mark, after.mark);
  if (gain !== 0) {
    return gain < 0 ? 'regressed' : 'fixed';
  }
  const state = before.side.state(before.row);
  if (
    state !== after.side.state(after.row) ||
    before.side.stopReason(before.row) !== after.side.stopReason(after.row) ||
    before.side.errorType(before.row) !== after.side.errorType(after.row)
  ) {
    return 'changed';
  }
  if (state !== succeededState && state !== erroredState) {
    return 'same';
  }
  const [first, second] = texts();
  const isSame = state === succeededState ? isSameAnswer(first, second) : normaliseMessage(first) === normaliseMessage(second);
  return isSame ? 'same' : 'changed';
}

function expectedGain(before: number, after: number): number {
  const [first, second] = [isAsExpected(before), isAsExpected(after)];
  return first === undefined || second === undefined ? 0 : Number(second) - Number(first);
}
