import { batchRequestSchema } from '../client/schemas/batchRequest';
import { messageParamsSchema } from '../client/schemas/messageParams';
import { inputContentBlockSchema } from '../client/schemas/messageParamsContent';
import { listIssues, type SchemaRule } from '../client/schemas/messageParamsIssues';
import { knowsVariant } from '../client/schemas/messageParamsShapes';
import { toolSchema } from '../client/schemas/messageParamsTools';
import { type JsonNode, type JsonRule, parseJsonLine } from './jsonText';
import type { Problem, ProblemText, Severity } from './problem';

/**
 * What a line is: nothing, a whole request (`custom_id` and `params`), the message params of one, or nothing that can be
 * sent. Requests and params may still have problems.
 */
export type LineKind = 'blank' | 'request' | 'params' | 'invalid';

/** What the rules say about one line. */
export interface CheckedLine {
  readonly kind: LineKind;
  /** The id as it stands, when it is a string; never trimmed or changed. */
  readonly customId: string | undefined;
  readonly model: string | undefined;
  readonly problems: readonly Problem[];
}

export type RequestRuleId = SchemaRule | JsonRule | 'not-a-request' | 'newer-field' | 'unknown-variant' | 'blank-line';

type Path = readonly (string | number)[];

/** What a rule finds: shown at the value that `path` leads to, at its key, or, where it is missing, at its parent. */
interface Finding {
  readonly rule: RequestRuleId;
  readonly path: Path;
  readonly text: ProblemText;
}

/** A line that is a request or params, as the rules see it. */
interface Subject {
  readonly kind: 'request' | 'params';
  readonly value: Readonly<Record<string, unknown>>;
  readonly params: unknown;
  /** Path of `params` in the line. */
  readonly paramsPath: Path;
}

interface RequestRule {
  /** Fields of `params` without which the rule has nothing to say; the quick check hands over lines that have one of them. */
  readonly wakeFields: readonly string[];
  find(subject: Subject): Iterable<Finding>;
}

const severities: Readonly<Record<RequestRuleId, Severity>> = {
  'json-syntax': 'error',
  'duplicate-key': 'error',
  'lone-surrogate': 'error',
  'too-deep': 'error',
  'not-a-request': 'error',
  'missing-field': 'error',
  'unknown-field': 'error',
  'wrong-type': 'error',
  'value-not-allowed': 'error',
  'number-out-of-range': 'error',
  'text-length': 'error',
  'item-count': 'error',
  'text-pattern': 'error',
  'newer-field': 'warning',
  'unknown-variant': 'information',
  'blank-line': 'information',
};

/** Fields that the vendor's newer services know and the contract does not. */
const newerFields: ReadonlySet<unknown> = new Set(['billing_policy', 'compaction', 'thread']);

const rules: readonly RequestRule[] = [
  { wakeFields: [], find: findSchemaIssues },
  { wakeFields: [], find: findUnknownVariants },
];

/** Fields of `params` whose presence sends a line past the quick check, because a rule beyond the schema looks at them. */
export const wakeFields: ReadonlySet<string> = new Set(rules.flatMap(rule => rule.wakeFields));

/** Checks one line by every rule that needs no other line. `line` counts from 0. This is the truth that quicker checks stand in for. */
export function checkRequestLine(text: string, line: number): CheckedLine {
  if (isBlank(text)) {
    return { kind: 'blank', customId: undefined, model: undefined, problems: [] };
  }
  const parsed = parseJsonLine(text);
  const problems: Problem[] = parsed.problems.map(problem => ({ ...problem, severity: severities[problem.rule], line }));
  if (!parsed.complete) {
    return { kind: 'invalid', customId: undefined, model: undefined, problems };
  }
  const subject = toSubject(parsed.value);
  const findings = subject === undefined ? [notARequest(parsed.value)] : rules.flatMap(rule => [...rule.find(subject)]);
  if (findings.length > 0) {
    const { root } = parseJsonLine(text, true);
    problems.push(...findings.map(finding => toProblem(finding, root, line)));
    problems.sort((a, b) => a.start - b.start);
  }
  return {
    kind: subject?.kind ?? 'invalid',
    customId: subject?.kind === 'request' ? asString(subject.value.custom_id) : undefined,
    model: asString(isObject(subject?.params) ? subject.params.model : undefined),
    problems,
  };
}

/** Whether a line has nothing but JSON's white space. */
export function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

/** The note about a line without a request between others. */
export function blankLineProblem(line: number): Problem {
  const text = { template: 'This line is empty; it is skipped.', args: [] };
  return { rule: 'blank-line', severity: severities['blank-line'], text, line, start: 0, end: 0, path: [] };
}

function toSubject(value: unknown): Subject | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  if (Object.hasOwn(value, 'custom_id') || Object.hasOwn(value, 'params')) {
    return { kind: 'request', value, params: value.params, paramsPath: ['params'] };
  }
  if (Object.hasOwn(value, 'messages') || Object.hasOwn(value, 'model') || Object.hasOwn(value, 'max_tokens')) {
    return { kind: 'params', value, params: value, paramsPath: [] };
  }
  return undefined;
}

function notARequest(value: unknown): Finding {
  const template = isObject(value)
    ? 'This is neither a request (custom_id and params) nor message params (model, max_tokens and messages).'
    : 'A line must be an object: a request (custom_id and params) or message params (model, max_tokens and messages).';
  return { rule: 'not-a-request', path: [], text: { template, args: [] } };
}

function* findSchemaIssues({ kind, value }: Subject): Iterable<Finding> {
  const result = (kind === 'request' ? batchRequestSchema : messageParamsSchema).safeParse(value);
  if (result.error === undefined) {
    return;
  }
  const paramsDepth = kind === 'request' ? 1 : 0;
  for (const issue of listIssues(result.error, value)) {
    const inParams = issue.path.length === paramsDepth + 1 && (paramsDepth === 0 || issue.path[0] === 'params');
    if (issue.rule === 'unknown-field' && inParams && newerFields.has(issue.path.at(-1))) {
      const text = { template: 'The field {0} is of a newer service than others; those refuse it.', args: issue.text.args };
      yield { rule: 'newer-field', path: issue.path, text };
    } else {
      yield issue;
    }
  }
}

function* findUnknownVariants({ params, paramsPath }: Subject): Iterable<Finding> {
  if (!isObject(params)) {
    return;
  }
  for (const [index, tool] of asArray(params.tools).entries()) {
    if (isObject(tool) && typeof tool.type === 'string' && !knowsVariant(toolSchema, tool.type)) {
      yield unknownVariant(
        'The tool type {0} is not known here; it is sent unchecked.',
        [...paramsPath, 'tools', index, 'type'],
        tool.type,
      );
    }
  }
  for (const [index, message] of asArray(params.messages).entries()) {
    for (const [place, block] of asArray(isObject(message) ? message.content : undefined).entries()) {
      if (isObject(block) && typeof block.type === 'string' && !knowsVariant(inputContentBlockSchema, block.type)) {
        const path = [...paramsPath, 'messages', index, 'content', place, 'type'];
        yield unknownVariant('The content type {0} is not known here; it is sent unchecked.', path, block.type);
      }
    }
  }
}

function unknownVariant(template: string, path: Path, type: string): Finding {
  return { rule: 'unknown-variant', path, text: { template, args: [type.slice(0, 100)] } };
}

function toProblem({ rule, path, text }: Finding, root: JsonNode | undefined, line: number): Problem {
  const [start, end] = root === undefined ? [0, 0] : rangeOf(rule, path, root);
  return { rule, severity: severities[rule], text, line, start, end, path };
}

function rangeOf(rule: RequestRuleId, path: Path, root: JsonNode): readonly [start: number, end: number] {
  let node = root;
  for (const step of path) {
    const child = node.children?.get(step);
    if (child === undefined) {
      // What is missing shows at its parent's key, or else at the opening of the object.
      return node.keyStart >= 0 ? [node.keyStart, node.keyEnd] : [node.start, node.start + 1];
    }
    node = child;
  }
  const atKey = rule === 'unknown-field' || rule === 'newer-field';
  return atKey && node.keyStart >= 0 ? [node.keyStart, node.keyEnd] : [node.start, node.end];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
