import type { JsonContainer, JsonPart } from '../scanning/jsonMembers';
import { firstFrom, type TextEdit } from './textEdit';

export type JsonPath = readonly (string | number)[];

export interface PlacedPart {
  readonly part: JsonPart;
  readonly index: number;
  readonly container: JsonContainer;
}

/** Cache of the part indexes of a container, keyed by part key. Indexes are ascending. */
const indexes = new WeakMap<JsonContainer, ReadonlyMap<string | number, readonly number[]>>();

/** Returns the part of an object or array with a key or index. If a key is duplicated, returns the last part. */
export function memberOf(container: JsonContainer | undefined, key: string | number): JsonPart | undefined {
  return container?.parts[indexOf(container, key)];
}

/** Returns the index of the part with a key, or -1. Of duplicates, takes the one at column `near`, or else the last. */
export function indexOf(container: JsonContainer, key: string | number, near = -1): number {
  const { parts } = container;
  if (typeof key === 'number') {
    return parts[key]?.key === key ? key : -1;
  }
  const found = indexesOf(container, key);
  const nearest = near < 0 ? undefined : found[firstFrom(found, index => (parts[index]?.end ?? 0) > near)];
  return nearest !== undefined && (parts[nearest]?.from ?? 0) <= near ? nearest : (found.at(-1) ?? -1);
}

/** Returns the index of the last part before `index` that has the same key, or -1. */
export function indexOfTwin(container: JsonContainer, index: number): number {
  const found = indexesOf(container, container.parts[index]?.key ?? -1);
  return found[firstFrom(found, position => position >= index) - 1] ?? -1;
}

function indexesOf(container: JsonContainer, key: string | number): readonly number[] {
  const known = indexes.get(container);
  if (known !== undefined) {
    return known.get(key) ?? [];
  }
  const byKey = new Map<string | number, number[]>();
  for (const [position, part] of container.parts.entries()) {
    const found = byKey.get(part.key);
    if (found === undefined) {
      byKey.set(part.key, [position]);
    } else {
      found.push(position);
    }
  }
  indexes.set(container, byKey);
  return byKey.get(key) ?? [];
}

/** Returns the edit that removes a part with its comma and adjacent white space. */
export function removal({ index, container }: PlacedPart): TextEdit {
  return cut(container, index, index);
}

/** Returns the edits that remove several parts, given by their indexes in ascending order. Adjacent parts are removed by one edit. */
export function removals(container: JsonContainer, indexes: readonly number[]): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  for (let at = 0; at < indexes.length; at++) {
    const first = indexes[at] as number;
    while (indexes[at + 1] === (indexes[at] as number) + 1) {
      at++;
    }
    edits.push(cut(container, first, indexes[at] as number));
  }
  return edits;
}

/** Returns the edit that removes the parts from `first` to `last`. */
function cut({ parts, start, end }: JsonContainer, first: number, last: number): TextEdit {
  const before = parts[first - 1];
  const after = parts[last + 1];
  if (after !== undefined) {
    return { start: (parts[first] as JsonPart).from, end: after.from, text: '' };
  }
  return before === undefined
    ? { start: start + 1, end: end - 1, text: '' }
    : { start: before.end, end: parts[last]?.end ?? end, text: '' };
}

/** Returns the edit that replaces the value of a part with `value`, a JSON text. */
export function replacement(part: JsonPart, value: string): TextEdit {
  return { start: part.start, end: part.end, text: value };
}

export function renaming(part: JsonPart, key: string): TextEdit {
  return { start: part.from, end: part.keyEnd, text: JSON.stringify(key) };
}

/** Returns the edit that adds a member at the end or start of an object, spaced like the existing members. */
export function insertion(text: string, object: JsonContainer, key: string, value: string, isFirst = false): TextEdit {
  const [first] = object.parts;
  const last = object.parts.at(-1);
  if (first === undefined || last === undefined) {
    return { start: object.start + 1, end: object.start + 1, text: `${JSON.stringify(key)}:${value}` };
  }
  const { member, comma } = memberLike(text, object, key, value);
  return isFirst ? { start: first.from, end: first.from, text: member + comma } : { start: last.end, end: last.end, text: comma + member };
}

export function insertionBehind(text: string, object: JsonContainer, part: JsonPart, key: string, value: string): TextEdit {
  const { member, comma } = memberLike(text, object, key, value);
  return { start: part.end, end: part.end, text: comma + member };
}

/** Returns the text of a member and the comma that separates it, spaced like the existing members of an object. */
function memberLike(text: string, { parts: [first, second] }: JsonContainer, key: string, value: string) {
  const { colon, comma } = spacingOf(text, first);
  const between = first === undefined || second === undefined ? undefined : text.slice(first.end, second.from);
  return { member: `${JSON.stringify(key)}${colon}${value}`, comma: between ?? comma };
}

/** Returns the colon of a member with the white space around it, and a comma in the same style. */
export function spacingOf(text: string, member: JsonPart | undefined): { readonly colon: string; readonly comma: string } {
  const colon = member === undefined ? ':' : text.slice(member.keyEnd, member.start);
  return { colon, comma: /\s$/.test(colon) ? ', ' : ',' };
}

/** Returns the edit that adds an item at the end of an array, spaced like the existing items. */
export function itemInsertion(text: string, array: JsonContainer, value: string): TextEdit {
  const [first, second] = array.parts;
  const last = array.parts.at(-1);
  if (first === undefined || last === undefined) {
    return { start: array.start + 1, end: array.start + 1, text: value };
  }
  const comma = second === undefined ? (/[:,]\s/.test(text.slice(0, array.start)) ? ', ' : ',') : text.slice(first.end, second.from);
  return { start: last.end, end: last.end, text: comma + value };
}
