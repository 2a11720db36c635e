import type { ComparedKind } from '../../shared/comparison/comparisonProtocol';
import { hasAnswer } from '../../shared/results/resultStatus';
import { isEqual } from '../../shared/schema/jsonValues';
import { readAnswerJson } from '../answers/answerJson';
import { normaliseMessage } from '../answers/errorClusters';
import { isAsExpected } from './expectationMarks';
import type { SideReader } from './sideReader';

/** Row of one run, with its expectation mark. */
export interface PairedRow {
  readonly side: SideReader;
  readonly row: number;
  readonly mark: number;
}

/** Classifies a request with results in both runs. `texts` returns the texts of both answers and is only called if they are needed. */
export function kindOfPair(before: PairedRow, after: PairedRow, texts: () => readonly [string, string]): ComparedKind {
  const gain = after.side.worth(after.row) - before.side.worth(before.row) || expectedGain(before.mark, after.mark);
  if (gain !== 0) {
    return gain < 0 ? 'regressed' : 'fixed';
  }
  if (before.side.outcome(before.row) !== after.side.outcome(after.row)) {
    return 'changed';
  }
  const status = before.side.status(before.row);
  if (!hasAnswer(status) && status !== 'failed') {
    return 'same';
  }
  const [first, second] = texts();
  const isSame = hasAnswer(status) ? isSameAnswer(first, second) : normaliseMessage(first) === normaliseMessage(second);
  return isSame ? 'same' : 'changed';
}

function expectedGain(before: number, after: number): number {
  const [first, second] = [isAsExpected(before), isAsExpected(after)];
  return first === undefined || second === undefined ? 0 : Number(second) - Number(first);
}

/**
 * Returns whether two answers are equivalent. If both contain JSON (see `readAnswerJson`), the values are compared, whatever their key
 * order, white space and number notation. Otherwise the texts are compared.
 */
function isSameAnswer(before: string, after: string): boolean {
  if (before.trim() === after.trim()) {
    return true;
  }
  const first = readAnswerJson(before);
  const second = first && readAnswerJson(after);
  return first !== undefined && second !== undefined && isEqual(first.value, second.value);
}
