import { batchRequestSchema } from '../../contract/batchRequest';
import { closeName } from '../../contract/closeName';
import { messageParamsSchema } from '../../contract/messageParams';
import { inputContentBlockSchema } from '../../contract/messageParamsContent';
import { listIssues, type SchemaIssue } from '../../contract/messageParamsIssues';
import { knowsVariant } from '../../contract/messageParamsShapes';
import { toolSchema } from '../../contract/messageParamsTools';
import { newerParams } from '../../contract/newerParams';
import { asArray, asObject, type Finding, fieldOf, found, isObject, type JsonObject, type Path, type Subject } from './finding';
import { knownFields } from './knownFields';

/** Finds violations of the client's schemas. Violations that the contract makes certain are errors. All other violations are warnings. */
export function* findSchemaIssues(subject: Subject): Iterable<Finding> {
  const { error } = schemaOf(subject).safeParse(subject.value);
  for (const issue of error === undefined ? [] : listIssues(error, subject.value)) {
    yield* issue.rule === 'unknown-field' ? unknownField(issue, subject) : [toFinding(issue, subject)];
  }
}

export function schemaOf({ kind }: Pick<Subject, 'kind'>): typeof batchRequestSchema | typeof messageParamsSchema {
  return kind === 'request' ? batchRequestSchema : messageParamsSchema;
}

/** Converts an issue of a schema to a finding. Lowers the severity if the contract doesn't show the shape of the value. */
function toFinding({ rule, path, text, suggestion }: SchemaIssue, subject: Subject): Finding {
  const inner = pathInParams(path, subject);
  const special = inner && specialFinding(rule, path, inner, subject);
  if (special !== undefined) {
    return special;
  }
  return {
    rule,
    path,
    text,
    ...(inner === undefined || isShownByContract(inner, subject.params) ? {} : { severity: 'warning' as const }),
    ...(rule === 'unknown-field' ? { atKey: true } : {}),
    ...(suggestion === undefined ? {} : { hint: { suggestion } }),
  };
}

function specialFinding(rule: string, path: Path, inner: Path, { params }: Subject): Finding | undefined {
  const [list, index, field] = inner;
  if (list === 'messages' && field === 'content' && inner.length === 3 && rule === 'text-length') {
    return found('empty-content', path, 'This message is empty. Add text, or remove the message.');
  }
  if (
    list === 'tools' &&
    field === 'name' &&
    rule === 'missing-field' &&
    isObject(fieldOf(asArray(params.tools)[Number(index)], 'function'))
  ) {
    return found(rule, path, 'This tool has another API\'s format. Use the command "Convert to Request File".');
  }
  return undefined;
}

function unknownField(issue: SchemaIssue, subject: Subject): readonly Finding[] {
  const inner = pathInParams(issue.path, subject);
  const key = String(issue.path.at(-1));
  if (inner?.length === 1 && subject.options.newerParams?.includes(key)) {
    return [];
  }
  if (inner?.length === 1 && newerParams.includes(key)) {
    return [found('newer-field', issue.path, 'Only newer services accept "{0}".', [key], { atKey: true })];
  }
  const schema = schemaOf(subject);
  const parentPath = issue.path.slice(0, -1);
  const parent = parentPath.reduce(fieldAt, subject.value);
  const free = [...knownFields(schema, parentPath, subject.value)].filter(field => !isObject(parent) || !Object.hasOwn(parent, field));
  const suggestion = closeName(key, free);
  if (suggestion === undefined) {
    return [toFinding(issue, subject)];
  }
  const text = { template: 'Unknown field "{0}". Did you mean "{1}"?', args: [key, suggestion] };
  return [toFinding({ ...issue, text, suggestion }, subject)];
}

function fieldAt(value: unknown, step: string | number): unknown {
  return typeof step === 'number' ? asArray(value)[step] : fieldOf(value, step);
}

/** Returns the path relative to `params`, or `undefined` for `params` itself and for anything outside of it. */
function pathInParams(path: Path, { paramsPath }: Subject): Path | undefined {
  const inner = path.slice(paramsPath.length);
  return inner.length > 0 && paramsPath.every((step, index) => path[index] === step) ? inner : undefined;
}

/** Finds `unknown-variant`: tools and content of an unknown type. */
export function* findUnknownVariants({ params, paramsPath }: Subject): Iterable<Finding> {
  for (const [index, tool] of asArray(params.tools).entries()) {
    const type = fieldOf(tool, 'type');
    if (typeof type === 'string' && !knowsVariant(toolSchema, type)) {
      const text = 'Unknown tool type {0}. It is sent unchecked.';
      yield found('unknown-variant', [...paramsPath, 'tools', index, 'type'], text, [type.slice(0, 100)]);
    }
  }
  for (const [index, message] of asArray(params.messages).entries()) {
    for (const [position, block] of asArray(fieldOf(message, 'content')).entries()) {
      const type = fieldOf(block, 'type');
      if (typeof type === 'string' && !knowsVariant(inputContentBlockSchema, type)) {
        const text = 'Unknown content type {0}. It is sent unchecked.';
        yield found('unknown-variant', [...paramsPath, 'messages', index, 'content', position, 'type'], text, [type.slice(0, 100)]);
      }
    }
  }
}

/** Tool variants whose fields the contract lists. For all other variants, the contract lists only the names. */
const listedTools: ReadonlySet<unknown> = new Set([
  undefined,
  null,
  'custom',
  'bash_20241022',
  'bash_20250124',
  'code_execution_20250522',
  'code_execution_20250825',
  'code_execution_20260120',
  'code_execution_20260521',
  'computer_20241022',
  'computer_20250124',
  'memory_20250818',
  'text_editor_20241022',
]);

/**
 * Returns whether the contract shows the shape of the value at `path` in `params`. Other shapes (sections "Gaps" of the contract) are only
 * known from services, so their violations are warnings instead of errors.
 */
function isShownByContract([field, ...rest]: Path, params: JsonObject): boolean {
  const [first, second, third] = rest;
  switch (field) {
    case 'messages':
      return second !== 'content' || third === undefined || isBlockShown(blockAt(params, first, third), rest.slice(3));
    case 'system':
      return first === undefined || isBlockShown(asArray(params.system)[Number(first)], rest.slice(1));
    case 'thinking':
      return first === undefined || first === 'type' || first === 'budget_tokens';
    case 'tool_choice':
      return first === undefined || first === 'type';
    case 'context_management':
      return third === undefined || third === 'type';
    case 'container':
      return first !== 'skills' || third === undefined;
    case 'mcp_servers':
      return second !== 'tool_configuration';
    case 'output_config':
      return first !== 'task_budget';
    case 'fallbacks':
      if (second === 'max_tokens' && isBelowZero(fieldOf(asArray(params.fallbacks)[Number(first)], second))) {
        // Not certain, because services may check the fallback only when they try it.
        return false;
      }
      return typeof second !== 'string' || isShownByContract(rest.slice(1), asObject(asArray(params.fallbacks)[Number(first)]));
    case 'tools':
      return first === undefined || isToolShown(asArray(params.tools)[Number(first)], rest.slice(1));
    case 'user_profile_id':
      return false;
    default:
      return true;
  }
}

function blockAt(params: JsonObject, message: unknown, index: unknown): unknown {
  return asArray(fieldOf(asArray(params.messages)[Number(message)], 'content'))[Number(index)];
}

/** Returns whether the contract shows a field of a content block. The contract shows only text blocks, and not the fields of citations. */
function isBlockShown(block: unknown, [field, , ...inner]: Path): boolean {
  if (!isObject(block) || field === undefined || field === 'type') {
    return true;
  }
  return block.type === 'text' && (field !== 'citations' || inner.length === 0);
}

function isToolShown(tool: unknown, [field, ...inner]: Path): boolean {
  if (!isObject(tool) || field === undefined || field === 'type') {
    return true;
  }
  const value = fieldOf(tool, field as string);
  if (field === 'name' && value === undefined) {
    return true;
  }
  const isCustom = tool.type === undefined || tool.type === null || tool.type === 'custom';
  const isFree =
    (field === 'description' && isCustom) ||
    // A JSON Schema can be a boolean as well as an object.
    (field === 'input_schema' && (inner.length > 0 || typeof value === 'boolean')) ||
    (field === 'allowed_callers' && inner.length > 0);
  return listedTools.has(tool.type) && !isFree;
}

function isBelowZero(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value < 0;
}
