import { isEqual } from '../../shared/schema/jsonValues';
import { readAnswerJson } from '../querying/answerJson';

/**
 * Whether two answers say the same: as JSON values if there is JSON in both (see `readAnswerJson`), where the order of keys, white space and
 * the way in which a number is written do not count; else as texts.
 */
export function isSameAnswer(before: string, after: string): boolean {
  if (before.trim() === after.trim()) {
    return true;
  }
  const first = readAnswerJson(before);
  const second = first && readAnswerJson(after);
  return first !== undefined && second !== undefined && isEqual(first.value, second.value);
}
