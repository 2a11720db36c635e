import { ExactNumber } from '../../shared/exactJson';
import { readAnswerJson } from '../answers/answerJson';
import { withMembers } from '../fields/withMembers';

/**
 * Adds expected answers to the text of an expectations file and returns the new text. `answers` is keyed by `custom_id`. If a request
 * already has a line, its other checks are kept. Other lines are unchanged.
 */
export function withExpected(text: string, answers: ReadonlyMap<string, string>): string {
  return withMembers(text, new Map([...answers].map(([id, answer]) => [id, { equals: toExpected(answer) }])));
}

function toExpected(answer: string): unknown {
  const json = readAnswerJson(answer);
  const isData = json?.isWhole === true && typeof json.value === 'object' && json.value !== null && !(json.value instanceof ExactNumber);
  return isData ? json.value : answer;
}
