import type { ComparedKind } from '../../shared/comparison/comparisonProtocol';
import { hasAnswer, type ResultStatus } from '../../shared/results/resultStatus';
import { isEqual } from '../../shared/schema/jsonValues';
import { readAnswerJson } from '../answers/answerJson';
import { normaliseMessage } from '../answers/errorClusters';
import { isAsExpected } from './expectationMarks';

export interface PairedResult {
  readonly status: ResultStatus;
  readonly stopReason: string | undefined;
  readonly errorType: string | undefined;
  readonly mark: number;
}

/** Returns the quality of a result: 0 no answer, 1 partial answer, 2 complete answer. */
export function worthOf({ status }: PairedResult): number {
  return status === 'succeeded' ? 2 : hasAnswer(status) ? 1 : 0;
}

/** Classifies a request with results in both runs. `texts` returns the texts of both answers and is only called if they are needed. */
export function kindOfPair(before: PairedResult, after: PairedResult, texts: () => readonly [string, string]): ComparedKind {
  const gain = worthOf(after) - worthOf(before) || expectedGain(before.mark, after.mark);
  if (gain !== 0) {
    return gain < 0 ? 'regressed' : 'fixed';
  }
  const { status } = before;
  if (status !== after.status || before.stopReason !== after.stopReason || before.errorType !== after.errorType) {
    return 'changed';
  }
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
