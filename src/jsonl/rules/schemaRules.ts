import { batchRequestSchema } from '../../client/schemas/batchRequest';
import { messageParamsSchema } from '../../client/schemas/messageParams';
import { inputContentBlockSchema } from '../../client/schemas/messageParamsContent';
import { listIssues, type SchemaIssue } from '../../client/schemas/messageParamsIssues';
import { knowsVariant } from '../../client/schemas/messageParamsShapes';
import { toolSchema } from '../../client/schemas/messageParamsTools';
import { isShownByContract } from './certainty';
import { closeName } from './closeName';
import { asArray, type Finding, fieldOf, found, isObject, type Path, type Subject } from './finding';
import { knownFields } from './knownFields';

/** Fields that the vendor's newer services know and the contract does not. */
const newerFields: ReadonlySet<unknown> = new Set(['billing_policy', 'compaction', 'thread']);

/** What the schemas of the client find wrong. Certain by the contract are errors; what it does not show, warnings. */
export function* findSchemaIssues(subject: Subject): Iterable<Finding> {
  const { kind, value } = subject;
  const schema = kind === 'request' ? batchRequestSchema : messageParamsSchema;
  const result = schema.safeParse(value);
  if (result.error === undefined) {
    return;
  }
  for (const issue of listIssues(result.error, value)) {
    yield issue.rule === 'unknown-field' ? unknownField(issue, subject) : toFinding(issue, subject);
  }
}

function toFinding({ rule, path, text, suggestion }: SchemaIssue, subject: Subject): Finding {
  const inner = pathInParams(path, subject);
  return {
    rule,
    path,
    text,
    ...(inner === undefined || isShownByContract(inner, subject.params) ? {} : { severity: 'warning' as const }),
    ...(rule === 'unknown-field' ? { atKey: true } : {}),
    ...(suggestion === undefined ? {} : { hint: { suggestion } }),
  };
}

function unknownField(issue: SchemaIssue, subject: Subject): Finding {
  const inner = pathInParams(issue.path, subject);
  const key = String(issue.path.at(-1));
  if (inner?.length === 1 && newerFields.has(key)) {
    return found('newer-field', issue.path, 'The field {0} is of a newer service than others; those refuse it.', [key], { atKey: true });
  }
  const schema = subject.kind === 'request' ? batchRequestSchema : messageParamsSchema;
  const parentPath = issue.path.slice(0, -1);
  const parent = parentPath.reduce(fieldAt, subject.value);
  const free = [...knownFields(schema, parentPath, subject.value)].filter(field => !isObject(parent) || !Object.hasOwn(parent, field));
  const suggestion = closeName(key, free);
  if (suggestion === undefined) {
    return toFinding(issue, subject);
  }
  const text = { template: 'The field {0} is not known here. Did you mean {1}? Correct its name or remove it.', args: [key, suggestion] };
  return toFinding({ ...issue, text, suggestion }, subject);
}

function fieldAt(value: unknown, step: string | number): unknown {
  return typeof step === 'number' ? asArray(value)[step] : fieldOf(value, step);
}

/** The path from `params` on; undefined of what lies outside or is `params` itself. */
function pathInParams(path: Path, { paramsPath }: Subject): Path | undefined {
  const inner = path.slice(paramsPath.length);
  return inner.length > 0 && paramsPath.every((step, index) => path[index] === step) ? inner : undefined;
}

/** `unknown-variant`: tools and content of a type that is not known here. */
export function* findUnknownVariants({ params, paramsPath }: Subject): Iterable<Finding> {
  for (const [index, tool] of asArray(params.tools).entries()) {
    const type = fieldOf(tool, 'type');
    if (typeof type === 'string' && !knowsVariant(toolSchema, type)) {
      const text = 'The tool type {0} is not known here; it is sent unchecked.';
      yield found('unknown-variant', [...paramsPath, 'tools', index, 'type'], text, [type.slice(0, 100)]);
    }
  }
  for (const [index, message] of asArray(params.messages).entries()) {
    for (const [place, block] of asArray(fieldOf(message, 'content')).entries()) {
      const type = fieldOf(block, 'type');
      if (typeof type === 'string' && !knowsVariant(inputContentBlockSchema, type)) {
        const text = 'The content type {0} is not known here; it is sent unchecked.';
        yield found('unknown-variant', [...paramsPath, 'messages', index, 'content', place, 'type'], text, [type.slice(0, 100)]);
      }
    }
  }
}
