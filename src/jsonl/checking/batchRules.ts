import type { Problem, ProblemText } from '../../contract/problem';
import { type RuleId, ruleTable } from '../rules/ruleTable';
import type { BatchLimits } from './batchFileReport';
import { frameBytes, wrapBytes } from './bodyFrame';

/** Range in a file: 0-based line, UTF-16 columns. */
export interface LineRange {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** Limits of the contract for one batch. The byte limit is not in the contract and varies by deployment. */
export const contractLimits: BatchLimits = { maxRequests: 100_000, maxBytes: Number.MAX_SAFE_INTEGER };

/** Returns the problem of a repeated id. `other` is the line of its first use, or of its second if `isFirst` is set. */
export function duplicateIdProblem(range: LineRange, id: string, other: number, isFirst: boolean): Problem {
  const text = { template: 'Duplicate custom_id "{0}" (also on line {1}).', args: [id, other + 1] };
  const related = { line: other, text: { template: isFirst ? 'Other use of {0}' : 'First use of {0}', args: [id] } };
  return { ...toProblem('duplicate-id', range, text, ['custom_id']), related: [related] };
}

/** Returns the problem of a given id that equals the id derived for the bare params on line `bareLine`. */
export function derivedIdTakenProblem(range: LineRange, id: string, bareLine: number): Problem {
  const text = { template: 'Line {1} has no ID and will get "{0}". Choose another ID.', args: [id, bareLine + 1] };
  const related = { line: bareLine, text: { template: 'Line that will get {0}', args: [id] } };
  return { ...toProblem('made-id-taken', range, text, ['custom_id']), related: [related] };
}

/** Returns the problems with the number of requests and the size of the body, on the first line. */
export function limitProblems(requests: number, bodyBytes: number, limits: BatchLimits): readonly Problem[] {
  if (requests === 0) {
    return [fileProblem('no-requests', { template: 'A batch needs at least one request.', args: [] })];
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

const lineTexts = {
  'blank-line': 'Blank line, skipped.',
  'carriage-returns': 'Lines end with CR LF.',
  'no-last-newline': 'The last line has no line feed.',
  'byte-order-mark': "The file starts with a byte order mark, which isn't sent.",
} as const;

/** Returns a problem that only depends on the line number, such as a blank line. */
export function lineProblem(rule: keyof typeof lineTexts, line: number): Problem {
  return fileProblem(rule, { template: lineTexts[rule], args: [] }, line);
}

/** Returns a problem if a request of `bytes` bytes on `line` exceeds the body limit even alone. Returns `undefined` if the request fits. */
export function largeRequestProblem(line: number, bytes: number, isBare: boolean, { maxBytes }: BatchLimits): Problem | undefined {
  // Wrapping adds the fewest bytes on the first line. A request that is too large there is too large on any line.
  const least = frameBytes(1) + bytes + (isBare ? wrapBytes(0) : 0);
  if (least <= maxBytes) {
    return undefined;
  }
  const template = 'This request has {0} bytes, more than a batch can have ({1}).';
  return fileProblem('request-too-large', { template, args: [least, maxBytes] }, line);
}

/** Returns a problem of a whole file, shown at the start of `line`. */
export function fileProblem(rule: RuleId, text: ProblemText, line = 0): Problem {
  return toProblem(rule, { line, start: 0, end: 0 }, text, []);
}

export function toProblem(rule: RuleId, range: LineRange, text: ProblemText, path: Problem['path']): Problem {
  return { rule, severity: ruleTable[rule].severity, text, line: range.line, start: range.start, end: range.end, path };
}
