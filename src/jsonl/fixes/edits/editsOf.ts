import { compactJson } from '../../scanning/jsonMembers';
import type { JsonLine } from '../jsonLine';
import {
  indexOf,
  insertion,
  itemInsertion,
  type JsonContainer,
  type JsonPart,
  type JsonPath,
  memberOf,
  removals,
  replacement,
} from '../jsonParts';
import type { TextEdit } from '../textEdit';
import type { FieldEdit, LeftReason } from './fieldEdit';

/** Returns the edits that make a change in a request or bare params, or the reason why the line stays unchanged. */
export function editsOf(line: JsonLine, edit: FieldEdit): readonly TextEdit[] | LeftReason {
  const params = paramsOf(line);
  if (params === undefined) {
    return 'blocked';
  }
  switch (edit.kind) {
    case 'set':
      return set(line, params, edit.path, edit.value);
    case 'remove':
      return remove(line, params, edit.path);
    case 'set_system':
      return setSystem(line, params, edit.value);
    case 'put_tool':
      return putTool(line, params, edit);
    case 'remove_tool':
      return removeTool(line, params, edit.name);
  }
}

/** Returns the object of the params, or `undefined` if a request has none. */
function paramsOf(line: JsonLine): JsonContainer | undefined {
  const { root, paramsPath } = line;
  const part = memberOf(root, 'params');
  const object = paramsPath.length === 0 ? root : part && line.containerAt(part.start);
  return object !== undefined && line.text[object.start] === '{' ? object : undefined;
}

function set(line: JsonLine, params: JsonContainer, path: JsonPath, value: string): readonly TextEdit[] | LeftReason {
  let container = params;
  for (const [depth, step] of path.entries()) {
    const rest = path.slice(depth + 1);
    const part = partOf(container, step);
    if (part === undefined) {
      const isField = typeof step === 'string' && line.text[container.start] === '{';
      return isField && rest.every(isKey) ? [insertion(line.text, container, step, nested(rest, value))] : 'blocked';
    }
    if (rest.length === 0) {
      return isSame(line.raw(part), value) ? 'same' : [replacement(part, value)];
    }
    const inner = line.containerAt(part.start);
    if (inner === undefined) {
      return line.raw(part) === 'null' && rest.every(isKey) ? [replacement(part, nested(rest, value))] : 'blocked';
    }
    container = inner;
  }
  return 'blocked';
}

function remove(line: JsonLine, params: JsonContainer, path: JsonPath): readonly TextEdit[] | LeftReason {
  let container: JsonContainer | undefined = params;
  for (const step of path.slice(0, -1)) {
    const part: JsonPart | undefined = partOf(container, step);
    container = part && line.containerAt(part.start);
    if (container === undefined) {
      return 'absent';
    }
  }
  // Removes all duplicates of the key, because removing only the last would make the one before it effective.
  const found = indexesOf(container, ({ key }) => key === path.at(-1));
  return found.length === 0 ? 'absent' : removals(container, found);
}

function setSystem(line: JsonLine, params: JsonContainer, value: string): readonly TextEdit[] | LeftReason {
  const part = memberOf(params, 'system');
  const blocks = part !== undefined && line.text[part.start] === '[' ? line.containerAt(part.start)?.parts : undefined;
  if (blocks === undefined || blocks.length === 0) {
    return set(line, params, ['system'], value);
  }
  return blocks.length > 1 ? 'blocks' : set(line, params, ['system', 0, 'text'], value);
}

function putTool(line: JsonLine, params: JsonContainer, tool: { readonly name: string; readonly value: string }) {
  const part = memberOf(params, 'tools');
  if (part === undefined || line.raw(part) === 'null') {
    return set(line, params, ['tools'], `[${tool.value}]`);
  }
  const tools = line.text[part.start] === '[' ? line.containerAt(part.start) : undefined;
  if (tools === undefined) {
    return 'blocked';
  }
  const named = indexesOf(tools, item => isNamed(line, item, tool.name));
  if (named.length === 0) {
    return [itemInsertion(line.text, tools, tool.value)];
  }
  const others = named.flatMap(index => tools.parts[index] ?? []).filter(item => !isSame(line.raw(item), tool.value));
  return others.length === 0 ? 'same' : others.map(item => replacement(item, tool.value));
}

function removeTool(line: JsonLine, params: JsonContainer, name: string): readonly TextEdit[] | LeftReason {
  const part = memberOf(params, 'tools');
  const tools = part === undefined || line.text[part.start] !== '[' ? undefined : line.containerAt(part.start);
  const named = tools === undefined ? [] : indexesOf(tools, item => isNamed(line, item, name));
  if (tools === undefined || named.length === 0) {
    return 'absent';
  }
  // An empty list of tools means the same as none.
  return named.length === tools.parts.length ? remove(line, params, ['tools']) : removals(tools, named);
}

function isNamed(line: JsonLine, item: JsonPart, name: string): boolean {
  const object = line.text[item.start] === '{' ? line.containerAt(item.start) : undefined;
  const part = memberOf(object, 'name');
  return part !== undefined && line.text[part.start] === '"' && line.valueOf(part) === name;
}

function partOf(container: JsonContainer, step: string | number): JsonPart | undefined {
  return container.parts[indexOf(container, step)];
}

function indexesOf({ parts }: JsonContainer, fits: (part: JsonPart) => boolean): readonly number[] {
  return parts.flatMap((part, index) => (fits(part) ? [index] : []));
}

/** Missing keys can be created, missing array items can't. */
function isKey(step: string | number): step is string {
  return typeof step === 'string';
}

/** Wraps a value in the objects along a path. */
function nested(path: JsonPath, value: string): string {
  return path.reduceRight((inner: string, key) => `{${JSON.stringify(key)}:${inner}}`, value);
}

/** Returns whether two JSON texts have the same value. Strings are compared decoded, all others as text without white space. */
function isSame(one: string, other: string): boolean {
  return one.startsWith('"') && other.startsWith('"') ? JSON.parse(one) === JSON.parse(other) : compactJson(one) === compactJson(other);
}
