import { contractModels } from '../../rules/modelNames';
import type { JsonContainer } from '../../scanning/jsonMembers';
import type { JsonLine } from '../jsonLine';
import { insertion, insertionBehind, type JsonPath, memberOf } from '../jsonParts';
import { type FixContext, type FixMakers, type LineFix, toFix, toOption } from '../lineFix';
import { fixMissingId, fixMissingParams, renameFix } from './idFixes';

function isOnlyId({ root }: JsonLine): boolean {
  return root?.parts.length === 1 && memberOf(root, 'custom_id') !== undefined;
}

/** Adds empty params. Their missing fields are then reported and fixed separately. */
function addParams({ text, root }: JsonLine): LineFix | undefined {
  return root && addition([insertion(text, root, 'params', '{}')], 'params');
}

/** Default for `max_tokens`, the same as in completions. */
const usualTokens = 1024;
const firstMessage = '[{"role":"user","content":""}]';

/** Adds a field with its default value, or with a placeholder. A placeholder is never preferred. */
function fixMissingValue(line: JsonLine, path: JsonPath, context: FixContext): LineFix | undefined {
  const { text, paramsPath } = line;
  const object = objectAt(line, path.slice(0, -1));
  const key = String(path.at(-1));
  const isOfParams = path.length === paramsPath.length + 1 && paramsPath.every((step, depth) => path[depth] === step);
  if (object === undefined) {
    return undefined;
  }
  if (key === 'input_schema') {
    // Other services call this field `parameters`.
    const other = memberOf(object, 'parameters');
    return other !== undefined && text[other.start] === '{'
      ? renameFix(other, key, true)
      : addition([insertion(text, object, key, '{"type":"object"}')], key);
  }
  switch (isOfParams ? key : '') {
    case 'model': {
      const used = context.commonModel?.();
      const model = used ?? context.models[0] ?? contractModels[0] ?? '';
      const edit = insertion(text, object, key, JSON.stringify(model), true);
      return toFix('missing-field', 'Add the model {0}', [edit], [model], used !== undefined);
    }
    case 'max_tokens': {
      const model = memberOf(object, 'model');
      const value = String(usualTokens);
      const edit = model === undefined ? insertion(text, object, key, value, true) : insertionBehind(text, object, model, key, value);
      return toFix('missing-field', 'Add max_tokens {0}', [edit], [usualTokens]);
    }
    case 'messages':
      return addition([insertion(text, object, key, firstMessage)], key);
    default:
      return undefined;
  }
}

function addition(edits: LineFix['edits'], key: string): LineFix {
  return toOption('missing-field', 'Add {0}', edits, [key]);
}

function objectAt(line: JsonLine, path: JsonPath): JsonContainer | undefined {
  const { root } = line;
  return path.length > 0 ? line.objectAt(line.partAt(path)?.part) : root && line.text[root.start] === '{' ? root : undefined;
}

/** The only type of an object, by the field that holds it, directly or in an array. The field `sign` confirms it. */
const onlyTypes: ReadonlyMap<unknown, { readonly type: string; readonly sign?: string }> = new Map([
  ['cache_control', { type: 'ephemeral' }],
  ['format', { type: 'json_schema', sign: 'schema' }],
  ['output_format', { type: 'json_schema', sign: 'schema' }],
  ['input_schema', { type: 'object', sign: 'properties' }],
  ['mcp_servers', { type: 'url', sign: 'url' }],
]);
const textBlockFields: ReadonlySet<string | number> = new Set(['text', 'cache_control', 'citations']);

function fixMissingType(line: JsonLine, path: JsonPath): LineFix | undefined {
  const object = objectAt(line, path.slice(0, -1));
  if (object === undefined) {
    return undefined;
  }
  const under = path.findLast((step, depth) => depth < path.length - 1 && typeof step === 'string');
  const { type, isSure } = onlyTypeOf(line, object, under) ?? {};
  const edits = [insertion(line.text, object, 'type', JSON.stringify(type), true)];
  return type === undefined ? undefined : toFix('missing-type', 'Add the type {0}', edits, [type], isSure === true);
}

/** Returns the most likely type of an object in a field, and whether no other type is possible. */
function onlyTypeOf(
  line: JsonLine,
  object: JsonContainer,
  under: unknown,
): { readonly type: string; readonly isSure: boolean } | undefined {
  const only = onlyTypes.get(under);
  if (only !== undefined) {
    const { type, sign } = only;
    const isBlank = object.parts.length === 0 && under === 'input_schema';
    return { type, isSure: sign === undefined || isBlank || memberOf(object, sign) !== undefined };
  }
  if ((under === 'content' || under === 'system') && memberOf(object, 'text') !== undefined) {
    return { type: 'text', isSure: object.parts.every(({ key }) => textBlockFields.has(key)) };
  }
  const budget = under === 'thinking' ? memberOf(object, 'budget_tokens') : undefined;
  // Other services use a budget of 0 to turn thinking off.
  return budget === undefined ? undefined : { type: 'enabled', isSure: Number(line.raw(budget)) > 0 };
}

export const missingFieldMakers: FixMakers = {
  'missing-field': (line, problem, context) => {
    switch (problem.path.length === 1 ? problem.path[0] : undefined) {
      case 'custom_id':
        return fixMissingId(line, problem, context);
      case 'params':
        return isOnlyId(line) ? addParams(line) : fixMissingParams(line, problem, context);
      default:
        return problem.path.at(-1) === 'type' ? fixMissingType(line, problem.path) : fixMissingValue(line, problem.path, context);
    }
  },
};
