import type { Problem } from '../../contract/problem';
import { findDeprecatedFields, findSecrets } from '../rules/fieldRules';
import { findCacheMarkers } from '../rules/findCacheMarkers';
import { findCredit, findUserProfile } from '../rules/findCredit';
import { asArray, asObject, asString, type Finding, fieldOf, found, isObject, type Subject } from '../rules/finding';
import { findPictures } from '../rules/findPictures';
import { findEmptiedThinking, findForcedTool, findPrefill, findThinking } from '../rules/findPrefill';
import { findToolPairs, findTools } from '../rules/findTools';
import { findSlips } from '../rules/looseFields';
import { findModelLimits, findModels, findSampling } from '../rules/modelRules';
import { type RuleOptions, severityOf } from '../rules/ruleOptions';
import { ruleTable } from '../rules/ruleTable';
import { findSchemaIssues, findUnknownVariants } from '../rules/schemaRules';
import { type JsonNode, parseJsonLine } from '../scanning/jsonText';

/** `request` has `custom_id` and `params`, `params` are bare. Both may have problems. `invalid` can't be sent. */
export type LineKind = 'blank' | 'request' | 'params' | 'invalid';

export interface CheckedLine {
  readonly kind: LineKind;
  /** Exact id if it is a string, never trimmed or changed. */
  readonly customId: string | undefined;
  readonly model: string | undefined;
  readonly problems: readonly Problem[];
}

/** Rules for one line. They must not throw, whatever the shape of its values. */
const rules: readonly ((subject: Subject) => Iterable<Finding>)[] = [
  findSchemaIssues,
  findSlips,
  findUnknownVariants,
  findThinking,
  findCredit,
  findUserProfile,
  findModels,
  findModelLimits,
  findSampling,
  findDeprecatedFields,
  findPurpose,
  findMessages,
  findTools,
  findToolPairs,
  findPictures,
  findCacheMarkers,
  findPrefill,
  findForcedTool,
  findEmptiedThinking,
  findSecrets,
];

/** Checks one line by every rule for single lines. `line` is 0-based. Quicker checks must give the same results. */
export function checkRequestLine(text: string, line: number, options: RuleOptions): CheckedLine {
  if (isBlank(text)) {
    return toChecked(undefined, [], 'blank');
  }
  // Parses with ranges at once, because most lines that the quicker checks leave undecided have problems.
  const parsed = parseJsonLine(text);
  const problems: Problem[] = [];
  for (const problem of parsed.problems) {
    const severity = severityOf(problem.rule, problem.severity ?? ruleTable[problem.rule].severity, options);
    if (severity !== undefined) {
      problems.push({ ...problem, severity, line });
    }
  }
  if (!parsed.complete) {
    return toChecked(undefined, problems);
  }
  const classified = classify(parsed.value);
  const subject = classified && { ...classified, options };
  const findings = subject === undefined ? [notARequest(parsed.value)] : rules.flatMap(rule => [...rule(subject)]);
  if (findings.length > 0) {
    problems.push(...findings.flatMap(finding => toProblem(finding, parsed.root, line, options) ?? []));
    problems.sort((a, b) => a.start - b.start);
  }
  return toChecked(subject, problems);
}

function toChecked(subject: ClassifiedValue | undefined, problems: readonly Problem[], other: LineKind = 'invalid'): CheckedLine {
  return {
    kind: subject?.kind ?? other,
    customId: subject?.kind === 'request' ? asString(subject.value.custom_id) : undefined,
    model: asString(subject?.params.model),
    problems,
  };
}

/** Classifies one line without checking it. The result has no problems. */
export function classifyLine(text: string): CheckedLine {
  const parsed = parseJsonLine(text);
  const subject = parsed.complete ? classify(parsed.value) : undefined;
  return toChecked(subject, [], isBlank(text) ? 'blank' : 'invalid');
}

/** Returns whether a line has only JSON white space. */
export function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

type ClassifiedValue = Omit<Subject, 'options'>;

function classify(value: unknown): ClassifiedValue | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  if (Object.hasOwn(value, 'custom_id') || Object.hasOwn(value, 'params')) {
    return { kind: 'request', value, params: asObject(value.params), paramsPath: ['params'] };
  }
  if (Object.hasOwn(value, 'messages') || Object.hasOwn(value, 'model') || Object.hasOwn(value, 'max_tokens')) {
    return { kind: 'params', value, params: value, paramsPath: [] };
  }
  return undefined;
}

function notARequest(value: unknown): Finding {
  const template = isObject(value)
    ? 'Not a request (custom_id and params) or message params (model, max_tokens and messages).'
    : 'Expected an object: a request (custom_id and params) or message params (model, max_tokens and messages).';
  return found('not-a-request', [], template);
}

function toProblem(finding: Finding, root: JsonNode | undefined, line: number, options: RuleOptions): Problem | undefined {
  const { rule, path, text, hint } = finding;
  const severity = severityOf(rule, finding.severity ?? ruleTable[rule].severity, options);
  if (severity === undefined) {
    return undefined;
  }
  const [start, end] = root === undefined ? [0, 0] : rangeOf(finding, root);
  return { rule, severity, text, line, start, end, path, ...(hint === undefined ? {} : { hint }) };
}

function rangeOf({ path, atKey }: Finding, root: JsonNode): readonly [start: number, end: number] {
  let node = root;
  for (const step of path) {
    const child = node.children?.get(step);
    if (child === undefined) {
      // A missing field is reported at the key of its parent, or at the opening brace if there is no key.
      return node.keyStart >= 0 ? [node.keyStart, node.keyEnd] : [node.start, node.start + 1];
    }
    node = child;
  }
  return atKey === true && node.keyStart >= 0 ? [node.keyStart, node.keyEnd] : [node.start, node.end];
}

/** Finds messages that the service can't use: `no-messages`, `system-role`, and `empty-content` for an empty list. */
function* findMessages({ params, paramsPath }: Subject): Iterable<Finding> {
  const { messages } = params;
  const path = [...paramsPath, 'messages'];
  if (Array.isArray(messages) && messages.length === 0) {
    yield found('no-messages', path, 'Add a user message for the model to answer.');
  }
  for (const [index, message] of asArray(messages).entries()) {
    if (fieldOf(message, 'role') === 'system') {
      yield found('system-role', [...path, index, 'role'], 'Messages can\'t have the role "system". Move the text to the "system" field.');
    }
    const content = fieldOf(message, 'content');
    if (Array.isArray(content) && content.length === 0) {
      const text = 'This message is empty. Add text, or remove the message.';
      yield found('empty-content', [...path, index, 'content'], text, [], { severity: 'warning' });
    }
  }
}

/** Finds `zero-max-tokens` and `stream-in-batch`: fields with an unexpected effect in a batch. */
function* findPurpose({ params, paramsPath }: Subject): Iterable<Finding> {
  if (params.max_tokens === 0) {
    const text = 'With "max_tokens" 0 only the prompt cache is filled. Raise it to get an answer.';
    yield found('zero-max-tokens', [...paramsPath, 'max_tokens'], text);
  }
  if (params.stream === true) {
    yield found('stream-in-batch', [...paramsPath, 'stream'], "Batches can't stream. Remove the field.");
  } else if (params.stream === false) {
    yield found('stream-in-batch', [...paramsPath, 'stream'], "Batches can't stream. Remove the field.", [], { severity: 'hint' });
  }
}
