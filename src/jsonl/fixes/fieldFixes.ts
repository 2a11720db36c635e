import { messageParamsSchema } from '../../client/schemas/messageParams';
import { compactJson } from '../building/jsonMembers';
import { parseJsonLine } from '../jsonText';
import type { FixKind } from './fixKinds';
import { fixMissingId, fixMissingParams } from './idFixes';
import {
  containerAt,
  insertion,
  type JsonContainer,
  type JsonPart,
  type JsonPath,
  memberOf,
  type PlacedPart,
  parsedOf,
  placeOf,
  removal,
  renaming,
  replacement,
  rootOf,
} from './jsonPlaces';
import { type FixMaker, type LineFix, toFix, toLineRemoval } from './lineFix';

const paramsFields: ReadonlySet<string | number> = new Set(Object.keys(messageParamsSchema.shape));

/** A maker that takes the field away. */
export function dropField(kind: FixKind, preferred: boolean): FixMaker {
  return (text, { path, start }) => {
    const place = placeOf(text, path, start);
    return place === undefined ? [] : [removalFix(kind, place, preferred)];
  };
}

export function removalFix(kind: FixKind, place: PlacedPart, preferred: boolean): LineFix {
  return toFix(kind, 'Remove {0}', [removal(place)], { preferred, args: [String(place.part.key)] });
}

export const fixMissingField: FixMaker = (text, problem, context) => {
  switch (problem.path.length === 1 ? problem.path[0] : undefined) {
    case 'custom_id':
      return fixMissingId(text, problem, context);
    case 'params':
      return fixMissingParams(text, problem, context);
    default:
      return problem.path.at(-1) === 'type' ? fixMissingType(text, problem.path) : [];
  }
};

/** Types that can only be one, by the field that the object stands under, itself or in an array. */
const onlyTypes: ReadonlyMap<unknown, string> = new Map([
  ['cache_control', 'ephemeral'],
  ['format', 'json_schema'],
  ['output_format', 'json_schema'],
  ['input_schema', 'object'],
  ['mcp_servers', 'url'],
]);

function fixMissingType(text: string, path: JsonPath): readonly LineFix[] {
  const place = placeOf(text, path.slice(0, -1));
  const object = place === undefined ? undefined : containerAt(text, place.part.start);
  if (object === undefined || text[object.start] !== '{') {
    return [];
  }
  const has = (key: string) => memberOf(object, key) !== undefined;
  const under = path.findLast((step, depth) => depth < path.length - 1 && typeof step === 'string');
  const isBlock = (under === 'content' || under === 'system') && has('text');
  const type = onlyTypes.get(under) ?? (isBlock ? 'text' : under === 'thinking' && has('budget_tokens') ? 'enabled' : undefined);
  const edits = [insertion(text, object, 'type', JSON.stringify(type), true)];
  return type === undefined ? [] : [toFix('missing-type', 'Add the type {0}', edits, { args: [type] })];
}

/** Fields of the params as other services call them. */
const otherNames: ReadonlyMap<unknown, string> = new Map([
  ['max_completion_tokens', 'max_tokens'],
  ['max_output_tokens', 'max_tokens'],
  ['max_tokens_to_sample', 'max_tokens'],
  ['stop', 'stop_sequences'],
  ['system_prompt', 'system'],
]);

export const fixUnknownField: FixMaker = (text, { path, start, hint }) => {
  const place = placeOf(text, path, start);
  if (place === undefined) {
    return [];
  }
  const { part, container } = place;
  const isOfParams = path.length === paramsPathOf(text).length + 1;
  const name = (isOfParams ? otherNames.get(part.key) : undefined) ?? hint?.suggestion;
  const canRename = name !== undefined && memberOf(container, name) === undefined;
  const moving = path.length === 1 ? movingIntoParams(text, place) : undefined;
  const fixes: LineFix[] = [];
  if (canRename) {
    fixes.push(toFix('rename-field', 'Change {0} to {1}', [renaming(part, name)], { args: [String(part.key), name] }));
  } else if (moving !== undefined) {
    fixes.push(moving);
  }
  // In a request without `params` these fields are what belongs there.
  const belongsToParams = path.length === 1 && !rootHas(container, 'params');
  return belongsToParams ? fixes : [...fixes, removalFix('remove-field', place, fixes.length === 0)];
};

function rootHas(container: JsonContainer, key: string): boolean {
  return memberOf(container, key) !== undefined;
}

/** A field of the params that stands beside them instead of in them. */
function movingIntoParams(text: string, place: PlacedPart): LineFix | undefined {
  const { part, container } = place;
  const paramsPart = memberOf(container, 'params');
  const params = paramsPart === undefined ? undefined : containerAt(text, paramsPart.start);
  if (
    params === undefined ||
    text[params.start] !== '{' ||
    !paramsFields.has(part.key) ||
    memberOf(params, String(part.key)) !== undefined
  ) {
    return undefined;
  }
  const edits = [insertion(text, params, String(part.key), text.slice(part.start, part.end)), removal(place)];
  return toFix('gather-params', 'Move {0} into params', edits, { args: [String(part.key)] });
}

export const fixDoubledKey: FixMaker = (text, { path, start }) => {
  // It is found in lines too that are no JSON further on; those are repaired first.
  const place = parseJsonLine(text).complete ? placeOf(text, path, start) : undefined;
  if (place === undefined) {
    return [];
  }
  const { part, container } = place;
  const earlierIndex = container.parts.findLastIndex((other, index) => other.key === part.key && index < place.index);
  const earlier = container.parts[earlierIndex];
  if (earlier === undefined) {
    return [];
  }
  const args = [String(part.key)];
  if (isSameValue(text, earlier, part)) {
    return [toFix('same-key', 'Remove the second {0}, which says the same', [removal(place)], { args })];
  }
  const first = { part: earlier, index: earlierIndex, container };
  return [
    toFix('doubled-key', 'Keep the last {0}, which is the one that counts', [removal(first)], { preferred: false, args }),
    toFix('doubled-key', 'Keep the first {0}', [removal(place)], { preferred: false, args }),
  ];
};

/** `output_format` is deprecated for `output_config.format`; other deprecated fields can only go. */
export const fixDeprecatedField: FixMaker = (text, problem) => {
  const place = placeOf(text, problem.path, problem.start);
  if (place?.part.key !== 'output_format') {
    return place === undefined ? [] : [removalFix('drop-deprecated', place, false)];
  }
  const { part, container } = place;
  const value = text.slice(part.start, part.end);
  const title = 'Move it into output_config.format';
  const config = memberOf(container, 'output_config');
  const colon = text.slice(part.keyEnd, part.start);
  if (value === 'null') {
    return [removalFix('move-output-format', place, true)];
  }
  if (config === undefined) {
    const moved = { start: part.from, end: part.end, text: `"output_config"${colon}{"format"${colon}${value}}` };
    return [toFix('move-output-format', title, [moved])];
  }
  const object = text[config.start] === '{' ? containerAt(text, config.start) : undefined;
  const format = memberOf(object, 'format');
  if (object === undefined || (format !== undefined && parsedOf(text, format) !== null)) {
    return [];
  }
  const put = format === undefined ? insertion(text, object, 'format', value) : replacement(format, value);
  return [toFix('move-output-format', title, [put, removal(place)])];
};

export const fixOutputFormatTwice: FixMaker = text => {
  const params = placeOf(text, [...paramsPathOf(text), 'output_format']);
  const inConfig = placeOf(text, [...paramsPathOf(text), 'output_config', 'format']);
  if (params === undefined || inConfig === undefined) {
    return [];
  }
  const isSame = isSameValue(text, params.part, inConfig.part);
  return [
    toFix('output-format-twice', 'Remove output_format', [removal(params)], { preferred: isSame }),
    ...(isSame ? [] : [toFix('output-format-twice', 'Remove output_config.format', [removal(inConfig)], { preferred: false })]),
  ];
};

export const fixCreditWithFallbacks: FixMaker = text =>
  ['fallback_credit_token', 'fallbacks'].flatMap(key => {
    const place = placeOf(text, [...paramsPathOf(text), key]);
    return place === undefined ? [] : [removalFix('credit', place, false)];
  });

/** Without a mode, or with `strict`, the object form says what the bare string says (contract, fallback credit 4). */
export const fixCreditForm: FixMaker = text => {
  const place = placeOf(text, [...paramsPathOf(text), 'fallback_credit_token']);
  const object = place === undefined ? undefined : containerAt(text, place.part.start);
  const token = memberOf(object, 'token');
  const mode = memberOf(object, 'mode');
  if (
    place === undefined ||
    token === undefined ||
    text[token.start] !== '"' ||
    object?.parts.some(part => part !== token && part !== mode)
  ) {
    return [];
  }
  return mode !== undefined && parsedOf(text, mode) !== 'strict'
    ? []
    : [toFix('credit-text', 'Write the token as a text', [replacement(place.part, text.slice(token.start, token.end))])];
};

/** Removes an empty text block when its message keeps others. */
export const fixEmptyBlock: FixMaker = (text, { path }) => {
  const content = path.lastIndexOf('content');
  const depth = content >= 0 ? content : path.lastIndexOf('system');
  const block = depth >= 0 ? placeOf(text, path.slice(0, depth + 2)) : undefined;
  if (block === undefined || typeof block.part.key !== 'number' || block.container.parts.length < 2) {
    return [];
  }
  const fields = containerAt(text, block.part.start);
  const words = memberOf(fields, 'text');
  const value = words === undefined ? undefined : parsedOf(text, words);
  // A block with more in it than its type and no text says something, such as where the cache ends.
  const isEmpty = fields?.parts.length === 2 && typeof value === 'string' && value.trim() === '';
  return isEmpty ? [toFix('empty-block', 'Remove the empty block', [removal(block)])] : [];
};

/** A tool that is defined twice in the same words needs to stand there once. */
export const fixDoubledTool: FixMaker = (text, { path }) => {
  const depth = path.lastIndexOf('tools');
  const place = depth >= 0 ? placeOf(text, path.slice(0, depth + 2)) : undefined;
  return place?.container.parts.slice(0, place.index).some(other => isSameValue(text, other, place.part))
    ? [toFix('same-tool', 'Remove this tool, which stands here twice', [removal(place)])]
    : [];
};

export const fixBlankLine: FixMaker = () => [toLineRemoval('blank-line', 'Remove the empty line')];

/** Whether two values are written alike but for white space: numbers that JavaScript cannot tell apart are two. */
function isSameValue(text: string, one: JsonPart, other: JsonPart): boolean {
  return compactJson(text.slice(one.start, one.end)) === compactJson(text.slice(other.start, other.end));
}

/** Where the params of a line stand: in `params`, or they are the line. */
export function paramsPathOf(text: string): readonly string[] {
  const root = rootOf(text);
  return memberOf(root, 'params') !== undefined || memberOf(root, 'custom_id') !== undefined ? ['params'] : [];
}
