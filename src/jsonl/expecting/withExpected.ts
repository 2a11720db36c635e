import { ExactNumber, parseExact, writeJson } from '../../shared/exactJson';
import { readAnswerJson } from '../answers/answerJson';

/**
 * Returns the text of an expectations file with these answers added by `custom_id`. A request that has a line keeps its other checks. Other
 * lines are unchanged.
 */
export function withExpected(text: string, answers: ReadonlyMap<string, string>): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const left = new Map(answers);
  const lines = text.split(/\r?\n/).map(line => {
    const expectation = toExpectation(line);
    const id = expectation?.custom_id;
    const answer = typeof id === 'string' ? left.get(id) : undefined;
    if (typeof id !== 'string' || answer === undefined) {
      return line;
    }
    left.delete(id);
    return writeJson({ ...expectation, equals: toExpected(answer) });
  });
  if (lines.at(-1) === '') {
    lines.pop();
  }
  const added = [...left].map(([id, answer]) => writeJson({ custom_id: id, equals: toExpected(answer) }));
  return [...lines, ...added, ''].join(eol);
}

function toExpected(answer: string): unknown {
  const json = readAnswerJson(answer);
  const isData = json?.isWhole === true && typeof json.value === 'object' && json.value !== null && !(json.value instanceof ExactNumber);
  return isData ? json.value : answer;
}

function toExpectation(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseExact(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
