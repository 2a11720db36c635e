import type * as z from 'zod';
import { batchRequestSchema } from '../../../contract/batchRequest';
import { slipsBetween } from '../../../contract/closeName';
import { messageParamsSchema } from '../../../contract/messageParams';
import type { Problem } from '../../../contract/problem';
import { knownFields, schemasOfField } from '../../rules/knownFields';
import { digitsOf } from '../../rules/modelRules';
import { compactJson, type JsonPart } from '../../scanning/jsonMembers';
import { ownFieldsOf } from '../fieldMover';
import type { FixKind } from '../fixKinds';
import type { JsonLine } from '../jsonLine';
import { indexOfTwin, insertion, type JsonPath, memberOf, type PlacedPart, removal, replacement, spacingOf } from '../jsonParts';
import { atProblem, type FixMaker, type FixMakers, type LineFix, toFix, toOption } from '../lineFix';
import { otherIdOf, renameFix } from './idFixes';

const paramsFields: ReadonlySet<string | number> = new Set(Object.keys(messageParamsSchema.shape));

export function dropField(kind: FixKind, preferred: boolean): FixMaker {
  return atProblem(target => removalFix(kind, target, preferred));
}

export function removalFix(kind: FixKind, target: PlacedPart, preferred: boolean): LineFix {
  return toFix(kind, 'Remove {0}', [removal(target)], [String(target.part.key)], preferred);
}

/** Params fields, keyed by their names in other services. */
const otherNames: ReadonlyMap<unknown, string> = new Map([
  ['max_completion_tokens', 'max_tokens'],
  ['max_output_tokens', 'max_tokens'],
  ['max_tokens_to_sample', 'max_tokens'],
  ['stop', 'stop_sequences'],
  ['system_prompt', 'system'],
]);

function movingIntoParams(line: JsonLine, target: PlacedPart): LineFix | undefined {
  const { part, container } = target;
  const params = line.objectAt(memberOf(container, 'params'));
  if (params === undefined || !paramsFields.has(part.key) || memberOf(params, String(part.key)) !== undefined) {
    return undefined;
  }
  const edits = [insertion(line.text, params, String(part.key), line.raw(part)), removal(target)];
  // Metadata next to the params may be the user's own notes, which should not be sent to the service.
  return toFix('gather-params', 'Move {0} into "params"', edits, [String(part.key)], part.key !== 'metadata');
}

/** Creates a maker that removes the list item with the problem, unless it is the only item. */
export function dropItem(kind: FixKind, title: string): (line: JsonLine, problem: Problem) => LineFix | undefined | false {
  return (line, { path }) => {
    const depth = path.findLastIndex(step => typeof step === 'number');
    const item = depth < 0 ? undefined : line.partAt(path.slice(0, depth + 1));
    return item && item.container.parts.length > 1 && toOption(kind, title, [removal(item)]);
  };
}

/** Removes an empty text block unless it is the only block. */
export const fixEmptyBlock: FixMaker = (line, { path }) => {
  const content = path.lastIndexOf('content');
  const depth = content >= 0 ? content : path.lastIndexOf('system');
  const block = depth >= 0 ? line.partAt(path.slice(0, depth + 2)) : undefined;
  if (block === undefined || typeof block.part.key !== 'number' || block.container.parts.length < 2) {
    return undefined;
  }
  const fields = line.containerAt(block.part.start);
  const value = line.valueOf(memberOf(fields, 'text'));
  // A block with fields other than its type and text has a purpose, such as a cache marker.
  const isEmpty = fields?.parts.length === 2 && typeof value === 'string' && value.trim() === '';
  return isEmpty && toFix('empty-block', 'Remove empty block', [removal(block)]);
};

function firstTools(line: JsonLine): ReadonlyMap<string, number> {
  const tools = line.inParams('tools');
  const first = new Map<string, number>();
  for (const [index, part] of (tools && line.containerAt(tools.part.start)?.parts.entries()) ?? []) {
    const words = compactJson(line.raw(part));
    first.set(words, first.get(words) ?? index);
  }
  return first;
}

/** Returns whether two values have the same text except for white space. Numbers are compared digit by digit. */
function isSameValue(line: JsonLine, one: JsonPart, other: JsonPart): boolean {
  return compactJson(line.raw(one)) === compactJson(line.raw(other));
}

/** Returns the number of leading system messages, and the fix that moves all of them. */
function movingToSystem(line: JsonLine): { readonly leading: number; readonly fix: LineFix | undefined } {
  const { text } = line;
  const messages = line.inParams('messages');
  const list = messages === undefined ? undefined : line.containerAt(messages.part.start);
  const contents: JsonPart[] = [];
  for (const item of list?.parts ?? []) {
    const content = contentOfSystem(line, item);
    if (content === undefined) {
      break;
    }
    contents.push(content);
  }
  const leading = contents.length;
  const first = list?.parts[0];
  const next = list?.parts[leading];
  const isFree = messages !== undefined && memberOf(messages.container, 'system') === undefined;
  const system = isFree && leading > 0 && next !== undefined ? systemOf(line, contents) : undefined;
  if (messages === undefined || first === undefined || next === undefined || system === undefined) {
    return { leading, fix: undefined };
  }
  const { colon, comma } = spacingOf(text, messages.part);
  const edits = [
    { start: messages.part.from, end: messages.part.from, text: `"system"${colon}${system}${comma}` },
    { start: first.from, end: next.from, text: '' },
  ];
  return { leading, fix: toFix('move-system', 'Move system message to "system"', edits) };
}

/** Returns the content of a system message without other fields. */
function contentOfSystem(line: JsonLine, item: JsonPart): JsonPart | undefined {
  const message = line.objectAt(item);
  const content = memberOf(message, 'content');
  const isSystem = message?.parts.length === 2 && line.valueOf(memberOf(message, 'role')) === 'system';
  return isSystem ? content : undefined;
}

/** Returns the JSON text for `system`: a single text unchanged, otherwise a list of text blocks. */
function systemOf(line: JsonLine, contents: readonly JsonPart[]): string | undefined {
  const [only] = contents;
  if (only !== undefined && contents.length === 1 && line.text[only.start] === '"') {
    return line.raw(only);
  }
  const blocks: string[] = [];
  for (const content of contents) {
    const value = line.valueOf(content);
    const raw = line.raw(content);
    if (typeof value === 'string') {
      blocks.push(`{"type":"text","text":${raw}}`);
    } else if (Array.isArray(value) && value.every(isTextBlock)) {
      for (const part of line.containerAt(content.start)?.parts ?? []) {
        blocks.push(line.raw(part));
      }
    } else {
      return undefined;
    }
  }
  return `[${blocks.join(',')}]`;
}

function isTextBlock(block: unknown): boolean {
  return typeof block === 'object' && block !== null && (block as { type?: unknown }).type === 'text';
}

/**
 * Returns whether `name` is certainly a misspelling of `meant`. The names must be equal except for case and separators, or differ by one
 * typo (two in a long name). No other known name may be as similar, and no digit may differ. Stricter than `closeName`, which only
 * suggests.
 */
export function isNameMeant(name: string, meant: string, others: Iterable<string>): boolean {
  const slips = slipsBetween(name, meant);
  const allowed = meant.length < 4 ? 0 : meant.length < 12 ? 1 : 2;
  // Different versions, durations and media types are not misspellings.
  const isExact = digitsOf(name) === digitsOf(meant) && (slips === 0 || !name.includes('/'));
  return isExact && slips <= allowed && [...others].every(other => other === meant || slipsBetween(name, other) > slips);
}

/** Returns whether an unknown field at `path` is a misspelling of `meant`, and its value is valid for the field `meant`. */
function isFieldMeant(line: JsonLine, path: JsonPath, part: JsonPart, meant: string): boolean {
  const schema = line.paramsPath.length > 0 ? batchRequestSchema : messageParamsSchema;
  const parent = path.slice(0, -1);
  const key = String(part.key);
  if (!isNameMeant(key, meant, knownFields(schema, parent, line.value))) {
    return false;
  }
  const fits = () =>
    schemasOfField(schema, parent, line.value, meant).some(field => (field as z.ZodType).safeParse(line.valueOf(part)).success);
  return slipsBetween(key, meant) === 0 || fits();
}

export const fieldMakers: FixMakers = {
  'duplicate-key': atProblem((target, line) => {
    const { part, container } = target;
    const earlierIndex = indexOfTwin(container, target.index);
    const earlier = container.parts[earlierIndex];
    // Duplicate keys are also found in lines that are not valid JSON. Syntax errors are fixed first.
    if (earlier === undefined || !line.isComplete) {
      return undefined;
    }
    const args = [String(part.key)];
    if (isSameValue(line, earlier, part)) {
      return toFix('same-key', 'Remove duplicate {0}', [removal(target)], args);
    }
    const first = { part: earlier, index: earlierIndex, container };
    return [
      toOption('doubled-key', 'Keep the last {0}', [removal(first)], args),
      toOption('doubled-key', 'Keep the first {0}', [removal(target)], args),
    ];
  }),
  'blank-line': () => ({ ...toFix('blank-line', 'Remove blank lines', []), removesLine: true }),
  'unknown-field': atProblem((target, line, { path, hint }) => {
    const { part, container } = target;
    const isOfParams = path.length === line.paramsPath.length + 1;
    const isToolSchema = path.at(-3) === 'tools' && hint?.suggestion === 'input_schema' && part.key === 'parameters';
    const alias = isToolSchema
      ? 'input_schema'
      : isOfParams
        ? otherNames.get(part.key)
        : part === otherIdOf(line)
          ? 'custom_id'
          : undefined;
    const name = alias ?? hint?.suggestion;
    const canRename = name !== undefined && memberOf(container, name) === undefined;
    const moving = path.length === 1 ? movingIntoParams(line, target) : undefined;
    const fixes: LineFix[] = [];
    if (canRename) {
      fixes.push(renameFix(part, name, alias !== undefined || isFieldMeant(line, path, part, name)));
    } else if (moving !== undefined) {
      fixes.push(moving);
    }
    // In a request without `params`, these fields belong in `params`.
    const belongsToParams = path.length === 1 && line.paramsPath.length === 1 && memberOf(container, 'params') === undefined;
    // Removing one of the user's own fields would lose its value. Another fix moves the field to a file instead.
    const isOwn = path.length === 1 && line.paramsPath.length === 1 && line.once(ownFieldsOf).has(target.index);
    return belongsToParams ? fixes : [...fixes, removalFix('remove-field', target, fixes.length === 0 && !isOwn)];
  }),
  'newer-field': dropField('remove-field', false),
  'credit-with-fallbacks': line =>
    ['fallback_credit_token', 'fallbacks'].map(key => {
      const target = line.inParams(key);
      return target && removalFix('credit', target, false);
    }),
  'credit-expires': dropField('credit', true),
  /** Replaces the object form with the bare string if they are equivalent: no mode, or `strict` (contract, Fallback credit 4). */
  'credit-needs-beta': line => {
    const target = line.inParams('fallback_credit_token');
    const object = line.objectAt(target?.part);
    const token = memberOf(object, 'token');
    const mode = memberOf(object, 'mode');
    const isEquivalent = object?.parts.every(part => part === token || (part === mode && line.valueOf(mode) === 'strict'));
    return (
      isEquivalent &&
      target !== undefined &&
      token !== undefined &&
      line.text[token.start] === '"' &&
      toFix('credit-text', 'Write token as string', [replacement(target.part, line.raw(token))])
    );
  },
  'user-profile-conflict': dropField('remove-field', true),
  /** Moves `output_format` to `output_config.format`. Removes other deprecated fields. */
  'deprecated-field': atProblem((target, line) => {
    const { text } = line;
    const { part, container } = target;
    if (part.key !== 'output_format') {
      return removalFix('drop-deprecated', target, false);
    }
    const value = text.slice(part.start, part.end);
    const title = 'Move to output_config.format';
    const config = memberOf(container, 'output_config');
    const colon = text.slice(part.keyEnd, part.start);
    if (value === 'null') {
      return removalFix('move-output-format', target, true);
    }
    if (config === undefined) {
      const moved = { start: part.from, end: part.end, text: `"output_config"${colon}{"format"${colon}${value}}` };
      return toFix('move-output-format', title, [moved]);
    }
    const object = line.objectAt(config);
    const format = memberOf(object, 'format');
    if (object === undefined || (format !== undefined && line.valueOf(format) !== null)) {
      return undefined;
    }
    const put = format === undefined ? insertion(text, object, 'format', value) : replacement(format, value);
    return toFix('move-output-format', title, [put, removal(target)]);
  }),
  'stream-in-batch': dropField('drop-stream', true),
  /** Moves leading system messages to the system prompt. Only if there is no system prompt yet and other messages remain. */
  'system-role': (line, { path }) => {
    const { leading, fix } = line.once(movingToSystem);
    const index = path[line.paramsPath.length + 1];
    return typeof index === 'number' && index < leading && fix;
  },
  'empty-content': fixEmptyBlock,
  /** Removes a tool that is identical to an earlier tool. */
  'duplicate-tool': (line, { path }) => {
    const depth = path.lastIndexOf('tools');
    const target = depth >= 0 ? line.partAt(path.slice(0, depth + 2)) : undefined;
    if (target === undefined || line.once(firstTools).get(compactJson(line.raw(target.part))) === target.index) {
      return undefined;
    }
    // The second tool may be the only one with a cache marker.
    return toFix('same-tool', 'Remove duplicate tool', [removal(target)], [], !line.raw(target.part).includes('cache_control'));
  },
  'emptied-thinking': dropItem('emptied-thinking', 'Remove empty block'),
  'output-format-twice': line => {
    const params = line.inParams('output_format');
    const inConfig = line.inParams('output_config', 'format');
    if (params === undefined || inConfig === undefined) {
      return undefined;
    }
    const isSame = isSameValue(line, params.part, inConfig.part);
    return [
      toFix('output-format-twice', 'Remove output_format', [removal(params)], [], isSame),
      !isSame && toOption('output-format-twice', 'Remove output_config.format', [removal(inConfig)]),
    ];
  },
};
