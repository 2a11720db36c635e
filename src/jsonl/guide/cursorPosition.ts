import { skipSpace } from '../scanning/jsonMembers';
import { type LooseMember, type LooseValue, parseLoose, textOf } from './looseJson';

export type Path = readonly (string | number)[];

/** Position of a column in the JSON of its line. */
export interface CursorPosition {
  /**
   * Kind of position. `key` and `value` are positions where a field name or a value is or could be. `blank` means that the line is empty or
   * has only a bare word. `none` means that any insertion would break the JSON.
   */
  readonly kind: 'key' | 'value' | 'blank' | 'none';
  /** Path of the value, or of the object that holds the key. */
  readonly path: Path;
  /** Objects and arrays that contain the cursor, outermost first. */
  readonly containers: readonly LooseValue[];
  /** Name or simple value at the cursor. */
  readonly token: LooseValue | undefined;
  readonly member: LooseMember | undefined;
  /** Range that a completion replaces. */
  readonly start: number;
  readonly end: number;
  /** True if an inserted text needs a comma before it or after it. */
  readonly commaBefore: boolean;
  readonly commaAfter: boolean;
}

/** Finds the position of `column` in the JSON of a line, which may be invalid. */
export function findCursor(text: string, column: number, root = parseLoose(text)): CursorPosition {
  if (root === undefined) {
    const isBlank = skipSpace(text, text.startsWith('\ufeff') ? 1 : 0) >= text.length;
    return toPosition(text, [], [], { kind: isBlank ? 'blank' : 'none', start: column });
  }
  if (!holds(root, column)) {
    return toPosition(text, [], [], { kind: 'none', start: column });
  }
  if (root.kind === 'word') {
    return toPosition(text, [], [], { kind: 'blank', start: root.start, end: root.end, token: root });
  }
  const path: (string | number)[] = [];
  const containers: LooseValue[] = [];
  let value = root;
  while (value.kind === 'object' || value.kind === 'array') {
    containers.push(value);
    const inner: Inside | Deeper = value.kind === 'object' ? inObject(text, value, column) : inArray(value, column);
    path.push(...(inner.step === undefined ? [] : [inner.step]));
    if ('kind' in inner) {
      return toPosition(text, path, containers, inner);
    }
    value = inner.value;
  }
  return toPosition(text, path, containers, { kind: 'value', start: value.start, end: value.end, token: value });
}

/** Returns whether the cursor is inside a value: not at its start or closed end. Both ends of a word are inside. */
function holds(value: LooseValue, column: number): boolean {
  return value.kind === 'word'
    ? column >= value.start && column <= value.end
    : column > value.start && (column < value.end || (column === value.end && !value.closed));
}

/** Position directly inside an object or array. `end` defaults to `start`. */
interface Inside {
  readonly kind: CursorPosition['kind'];
  readonly step?: string | number;
  readonly start: number;
  readonly end?: number;
  readonly token?: LooseValue;
  readonly member?: LooseMember;
}

interface Deeper {
  readonly step: string | number;
  readonly value: LooseValue;
}

function inObject(text: string, object: LooseValue, column: number): Inside | Deeper {
  for (const member of object.members) {
    const { key, colon, value } = member;
    if (holds(key, column)) {
      return { kind: 'key', start: key.start, end: key.end, token: key, member };
    }
    if (column <= key.start) {
      break;
    }
    const step = textOf(text, key);
    if (value !== undefined && holds(value, column)) {
      return { step, value };
    }
    if (column < key.end || (column >= key.end && column <= colon)) {
      return { kind: 'none', start: column };
    }
    if (value !== undefined && colon >= 0 && column <= value.start) {
      const isSimple = value.kind === 'text' || value.kind === 'word';
      return isSimple ? { kind: 'value', step, start: column, end: value.end, token: value } : { kind: 'none', start: column };
    }
    if (value === undefined && colon >= 0 && column <= skipSpace(text, colon + 1)) {
      return { kind: 'value', step, start: column };
    }
  }
  return { kind: 'key', start: column };
}

function inArray({ items }: LooseValue, column: number): Inside | Deeper {
  const found = items.findIndex(item => holds(item, column) || column <= item.start);
  const step = found < 0 ? items.length : found;
  const value = items[step];
  return value !== undefined && holds(value, column) ? { step, value } : { kind: 'value', step, start: column };
}

function toPosition(text: string, path: Path, containers: readonly LooseValue[], inside: Inside): CursorPosition {
  const { kind, start, end = start, token, member } = inside;
  const isInside = kind === 'key' || kind === 'value';
  const before = text.slice(0, start).trimEnd().at(-1) ?? '{';
  const after = text[skipSpace(text, end)] ?? '}';
  const commas = { commaBefore: isInside && !'{[,:'.includes(before), commaAfter: isInside && !',}]:'.includes(after) };
  return { kind, path, containers, token, member, start, end, ...commas };
}
