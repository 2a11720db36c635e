import { firstFrom } from '../scanning/firstFrom';
import { decodeText, endOfString, endOfValue, skipSpace } from '../scanning/jsonMembers';
import type { TextEdit } from './textEdit';

export type JsonPath = readonly (string | number)[];

/** A member of an object or an item of an array as it stands in the text, in UTF-16 columns. */
export interface JsonPart {
  /** The key of a member, the index of an item. */
  readonly key: string | number;
  /** Where the part begins: its key, or its value when it is an item. */
  readonly from: number;
  /** End of the key with its quotation marks; `from` for an item. */
  readonly keyEnd: number;
  /** The value. */
  readonly start: number;
  readonly end: number;
}

/** An object or an array: the columns of its brackets, and its parts in order, doubled keys and all. */
export interface JsonContainer {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly JsonPart[];
}

/** A part together with what it stands in. */
export interface PlacedPart {
  readonly part: JsonPart;
  readonly index: number;
  readonly container: JsonContainer;
}

/** The object or array that begins at `at` in a text that is JSON; undefined when another value stands there. */
export function containerAt(text: string, at: number): JsonContainer | undefined {
  const isObject = text[at] === '{';
  if (!isObject && text[at] !== '[') {
    return undefined;
  }
  const parts: JsonPart[] = [];
  let next = skipSpace(text, at + 1);
  while (text[next] !== '}' && text[next] !== ']' && next < text.length) {
    const from = next;
    let keyEnd = from;
    let key: string | number = parts.length;
    if (isObject) {
      keyEnd = endOfString(text, from);
      key = decodeText(text.slice(from, keyEnd));
      next = skipSpace(text, skipSpace(text, keyEnd) + 1);
    }
    const start = next;
    const end = endOfValue(text, start);
    parts.push({ key, from, keyEnd, start, end });
    next = skipSpace(text, end);
    if (text[next] !== ',') {
      break;
    }
    next = skipSpace(text, next + 1);
  }
  return { start: at, end: next + 1, parts };
}

/** The outermost object or array of a line that is JSON. */
export function rootOf(text: string): JsonContainer | undefined {
  return containerAt(text, skipSpace(text, 0));
}

/** Objects with fewer members than this are looked through faster than they are indexed. */
const fewMembers = 16;
/** Of objects with many members, the places of each key in the order of the text. */
const indexes = new WeakMap<JsonContainer, ReadonlyMap<string | number, readonly number[]>>();
const nowhere: readonly number[] = [];

/** The member of an object with a key, the last where it is doubled. */
export function memberOf(container: JsonContainer | undefined, key: string): JsonPart | undefined {
  return container?.parts[indexOf(container, key)];
}

/**
 * The place of a key among the parts; -1 when it is not there. Of doubled keys the one that has the column `near` in it, else the
 * last, which is the one that counts.
 */
export function indexOf(container: JsonContainer, key: string | number, near = -1): number {
  const { parts } = container;
  if (typeof key === 'number') {
    return parts[key]?.key === key ? key : -1;
  }
  const here = near < 0 ? -1 : indexAt(parts, near);
  if (parts[here]?.key === key) {
    return here;
  }
  return parts.length < fewMembers ? parts.findLastIndex(part => part.key === key) : (placesOf(container, key).at(-1) ?? -1);
}

/** The place of the last part before `index` that has the same key; -1 when there is none. */
export function indexOfTwin(container: JsonContainer, index: number): number {
  const key = container.parts[index]?.key;
  const places = key === undefined ? nowhere : placesOf(container, key);
  return places[firstFrom(places, place => place >= index) - 1] ?? -1;
}

/** The place of the part that has a column in it; -1 for what stands between parts. */
function indexAt(parts: readonly JsonPart[], column: number): number {
  const index = firstFrom(parts, part => part.end > column);
  return column >= (parts[index]?.from ?? column + 1) ? index : -1;
}

function placesOf(container: JsonContainer, key: string | number): readonly number[] {
  let index = indexes.get(container);
  if (index === undefined) {
    index = indexKeys(container);
    indexes.set(container, index);
  }
  return index.get(key) ?? nowhere;
}

function indexKeys({ parts }: JsonContainer): ReadonlyMap<string | number, readonly number[]> {
  const index = new Map<string | number, number[]>();
  for (const [place, { key }] of parts.entries()) {
    const places = index.get(key);
    if (places === undefined) {
      index.set(key, [place]);
    } else {
      places.push(place);
    }
  }
  return index;
}

/** Takes a part out with its comma and the white space that belongs to it. */
export function removal({ part, index, container }: PlacedPart): TextEdit {
  return cut(container, part, index, index);
}

/** The same for several parts, by their places in ascending order: edits that are apart. */
export function removals(container: JsonContainer, indexes: readonly number[]): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  for (let at = 0; at < indexes.length; at++) {
    const first = indexes[at] as number;
    while (indexes[at + 1] === (indexes[at] as number) + 1) {
      at++;
    }
    edits.push(cut(container, container.parts[first] as JsonPart, first, indexes[at] as number));
  }
  return edits;
}

/** Takes out neighbours, of which `part` is the first. */
function cut({ parts, start, end }: JsonContainer, part: JsonPart, first: number, last: number): TextEdit {
  const before = parts[first - 1];
  const after = parts[last + 1];
  if (after !== undefined) {
    return { start: part.from, end: after.from, text: '' };
  }
  return before === undefined
    ? { start: start + 1, end: end - 1, text: '' }
    : { start: before.end, end: parts[last]?.end ?? end, text: '' };
}

/** Puts `value`, a JSON text, in the place of a part's value. */
export function replacement(part: JsonPart, value: string): TextEdit {
  return { start: part.start, end: part.end, text: value };
}

/** Gives a member another key. */
export function renaming(part: JsonPart, key: string): TextEdit {
  return { start: part.from, end: part.keyEnd, text: JSON.stringify(key) };
}

/** Adds a member to an object as its last, or as its first, spaced as the members it has. */
export function insertion(text: string, object: JsonContainer, key: string, value: string, isFirst = false): TextEdit {
  const [first] = object.parts;
  const last = object.parts.at(-1);
  if (first === undefined || last === undefined) {
    return { start: object.start + 1, end: object.start + 1, text: `${JSON.stringify(key)}:${value}` };
  }
  const { member, comma } = memberLike(text, object, key, value);
  return isFirst ? { start: first.from, end: first.from, text: member + comma } : { start: last.end, end: last.end, text: comma + member };
}

/** Adds a member to an object behind one of its members. */
export function insertionBehind(text: string, object: JsonContainer, part: JsonPart, key: string, value: string): TextEdit {
  const { member, comma } = memberLike(text, object, key, value);
  return { start: part.end, end: part.end, text: comma + member };
}

/** A member, and a comma before or behind it, spaced as those of an object that has some. */
function memberLike(text: string, { parts: [first, second] }: JsonContainer, key: string, value: string) {
  const colon = first === undefined ? ':' : text.slice(first.keyEnd, first.start);
  const between = first === undefined || second === undefined ? undefined : text.slice(first.end, second.from);
  return { member: `${JSON.stringify(key)}${colon}${value}`, comma: between ?? (/\s$/.test(colon) ? ', ' : ',') };
}

/** Adds an item to an array as its last, spaced as the items it has. */
export function itemInsertion(text: string, array: JsonContainer, value: string): TextEdit {
  const [first, second] = array.parts;
  const last = array.parts.at(-1);
  if (first === undefined || last === undefined) {
    return { start: array.start + 1, end: array.start + 1, text: value };
  }
  const comma = second === undefined ? (/[:,]\s/.test(text.slice(0, array.start)) ? ', ' : ',') : text.slice(first.end, second.from);
  return { start: last.end, end: last.end, text: comma + value };
}
