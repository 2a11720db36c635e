import type { Problem, ProblemText } from '../../contract/problem';
import { type RuleId, ruleTable } from '../rules/ruleTable';
import type { BatchLimits } from './batchFileReport';
import { frameBytes, wrapBytes } from './bodyFrame';

/** A place in a file: line from 0, UTF-16 columns. */
export interface Place {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** The contract's bound on one batch; the byte cap belongs to a deployment. */
export const contractLimits: BatchLimits = { maxRequests: 100_000, maxBytes: Number.MAX_SAFE_INTEGER };

/** An id used more than once: on its first use `other` is the second, on the others the first. */
export function duplicateIdProblem(place: Place, id: string, other: number, isFirst: boolean): Problem {
  const text = isFirst
    ? { template: 'Duplicate custom_id "{0}" (also on line {1}).', args: [id, other + 1] }
    : { template: 'Duplicate custom_id "{0}" (also on line {1}).', args: [id, other + 1] };
  const related = { line: other, text: { template: isFirst ? 'Other use of {0}' : 'First use of {0}', args: [id] } };
  return { ...toProblem('duplicate-id', place, text, ['custom_id']), related: [related] };
}

/** A given id that is also the one made for the bare params on line `bareLine`. */
export function madeIdTakenProblem(place: Place, id: string, bareLine: number): Problem {
  const text = { template: '"{0}" will be the ID of line {1}, which has none. Choose another.', args: [id, bareLine + 1] };
  const related = { line: bareLine, text: { template: 'Line that gets {0}', args: [id] } };
  return { ...toProblem('made-id-taken', place, text, ['custom_id']), related: [related] };
}

/** What is wrong with the number of requests and the size of the body, shown on the first line. */
export function limitProblems(requests: number, bodyBytes: number, limits: BatchLimits): readonly Problem[] {
  if (requests === 0) {
    return [fileProblem('no-requests', { template: 'No requests. A batch needs at least one.', args: [] })];
  }
  const problems: Problem[] = [];
  if (requests > limits.maxRequests) {
    const template = '{0} requests are sent as several batches (limit {1}).';
    problems.push(fileProblem('too-many-requests', { template, args: [requests, limits.maxRequests] }));
  }
  if (bodyBytes > limits.maxBytes) {
    const template = '{0} bytes are sent as several batches (limit {1}).';
    problems.push(fileProblem('body-too-large', { template, args: [bodyBytes, limits.maxBytes] }));
  }
  return problems;
}

/** The note about a line without a request between others. */
export function blankLineProblem(line: number): Problem {
  return fileProblem('blank-line', { template: 'Blank lines are skipped.', args: [] }, line);
}

/** The note about CR LF, on the first line that ends with it. */
export function carriageReturnsProblem(line: number): Problem {
  return fileProblem('carriage-returns', { template: "Lines end with CR LF. The CR isn't sent.", args: [] }, line);
}

/** The note about a last line without LF. */
export function noLastNewlineProblem(line: number): Problem {
  return fileProblem('no-last-newline', { template: 'The last line has no line feed.', args: [] }, line);
}

/** A request on `line` of `bytes` bytes that alone makes a body larger than `limits` allow; undefined when it does not. */
export function largeRequestProblem(line: number, bytes: number, isBare: boolean, { maxBytes }: BatchLimits): Problem | undefined {
  // The first line's wrap is the shortest: what is too large with it is too large anywhere.
  const least = frameBytes(1) + bytes + (isBare ? wrapBytes(0) : 0);
  if (least <= maxBytes) {
    return undefined;
  }
  const template = 'This request has {0} bytes, more than a batch can have ({1}).';
  return fileProblem('request-too-large', { template, args: [least, maxBytes] }, line);
}

/** A problem of a whole file, shown at the start of `line`. */
export function fileProblem(rule: RuleId, text: ProblemText, line = 0): Problem {
  return toProblem(rule, { line, start: 0, end: 0 }, text, []);
}

/** A problem at a place. */
export function toProblem(rule: RuleId, place: Place, text: ProblemText, path: Problem['path']): Problem {
  return { rule, severity: ruleTable[rule].severity, text, line: place.line, start: place.start, end: place.end, path };
}
