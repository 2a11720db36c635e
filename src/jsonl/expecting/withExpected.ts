import { ExactNumber } from '../../shared/exactJson';
import { readAnswerJson } from '../answers/answerJson';
import { withMembers } from '../fields/withMembers';

/**
 * Returns the text of an expectations file with these answers added by `custom_id`. A request that has a line keeps its other checks. Other
 * lines are unchanged.
 */
export function withExpected(text: string, answers: ReadonlyMap<string, string>): string {
  return withMembers(text, new Map([...answers].map(([id, answer]) => [id, { equals: toExpected(answer) }])));
}

function toExpected(answer: string): unknown {
  const json = readAnswerJson(answer);
  const isData = json?.isWhole === true && typeof json.value === 'object' && json.value !== null && !(json.value instanceof ExactNumber);
  return isData ? json.value : answer;
}
