import { skipSpace } from '../scanning/jsonMembers';
import { type LooseMember, type LooseValue, parseLoose, textOf } from './looseJson';

export type Path = readonly (string | number)[];

/** Position of a column in the JSON of its line. */
export interface CursorPosition {
  /**
   * Kind of position. `key` and `value` are positions where a field name or a value is or could be. At `blank` the line is empty or has
   * only a bare word. At `none` any insertion would break the JSON.
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
    return toPosition(text, isBlank ? 'blank' : 'none', [], [], column);
  }
  if (!holds(root, column)) {
    return toPosition(text, 'none', [], [], column);
  }
  if (root.kind === 'word') {
    return toPosition(text, 'blank', [], [], root.start, root.end, root);
  }
  const path: (string | number)[] = [];
  const containers: LooseValue[] = [];
  let value = root;
  for (;;) {
    if (value.kind !== 'object' && value.kind !== 'array') {
      return toPosition(text, 'value', path, containers, value.start, value.end, value);
    }
    containers.push(value);
    const inner = value.kind === 'object' ? inObject(text, value, column) : inArray(value, column);
    if ('kind' in inner) {
      return toPosition(
        text,
        inner.kind,
        inner.step === undefined ? path : [...path, inner.step],
        containers,
        inner.start,
        inner.end,
        inner.token,
        inner.member,
      );
    }
    path.push(inner.step);
    value = inner.value;
  }
}

/**
 * Returns whether the cursor is inside a value. The start is outside, and so is the end of a closed value. Both ends of a word are inside.
 */
function holds(value: LooseValue, column: number): boolean {
  return value.kind === 'word'
    ? column >= value.start && column <= value.end
    : column > value.start && (column < value.end || (column === value.end && !value.closed));
}

interface Inside {
  readonly kind: 'key' | 'value' | 'none';
  readonly step?: string | number | undefined;
  readonly start: number;
  readonly end: number;
  readonly token?: LooseValue | undefined;
  readonly member?: LooseMember | undefined;
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
      return { kind: 'none', start: column, end: column };
    }
    if (value !== undefined && colon >= 0 && column <= value.start) {
      const isSimple = value.kind === 'text' || value.kind === 'word';
      return isSimple ? { kind: 'value', step, start: column, end: value.end, token: value } : { kind: 'none', start: column, end: column };
    }
    if (value === undefined && colon >= 0 && column <= skipSpace(text, colon + 1)) {
      return { kind: 'value', step, start: column, end: column };
    }
  }
  return { kind: 'key', start: column, end: column };
}

function inArray(array: LooseValue, column: number): Inside | Deeper {
  let step = 0;
  for (const value of array.items) {
    if (holds(value, column)) {
      return { step, value };
    }
    if (column <= value.start) {
      break;
    }
    step++;
  }
  return { kind: 'value', step, start: column, end: column };
}

function toPosition(
  text: string,
  kind: CursorPosition['kind'],
  path: Path,
  containers: readonly LooseValue[],
  start: number,
  end = start,
  token?: LooseValue,
  member?: LooseMember,
): CursorPosition {
  const isInside = kind === 'key' || kind === 'value';
  let before = start - 1;
  while (before >= 0 && ' \t\r\n'.includes(text[before] ?? '')) {
    before--;
  }
  const after = text[skipSpace(text, end)];
  return {
    kind,
    path,
    containers,
    token,
    member,
    start,
    end,
    commaBefore: isInside && !'{[,:'.includes(text[before] ?? '{'),
    commaAfter: isInside && after !== undefined && !',}]:'.includes(after),
  };
}
