import { isEqual } from '../../shared/schema/jsonValues';
import { readAnswerJson } from '../answers/answerJson';

/**
 * Returns whether two answers are equivalent. If both have JSON (see `readAnswerJson`), compares the values, ignoring the order of keys,
 * white space and the notation of numbers. Otherwise compares the texts.
 */
export function isSameAnswer(before: string, after: string): boolean {
  if (before.trim() === after.trim()) {
    return true;
  }
  const first = readAnswerJson(before);
  const second = first && readAnswerJson(after);
  return first !== undefined && second !== undefined && isEqual(first.value, second.value);
}
