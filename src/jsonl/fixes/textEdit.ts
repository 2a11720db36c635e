import { firstFrom } from '../scanning/firstFrom';

/** UTF-16 columns [start, end) of a line give way to `text`, which may hold LFs where a line becomes several. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text after edits that neither overlap nor insert at one place twice, in any order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** Edits that can be applied together: they share no character and insert at no common place. */
export class EditSet {
  /** In the order of the text. */
  private readonly edits: TextEdit[] = [];

  /** Takes edits, which are apart from each other, unless one of them is in the way of those that are here. */
  add(edits: readonly TextEdit[]): boolean {
    if (!edits.every(edit => this.isFree(edit))) {
      return false;
    }
    for (const edit of edits) {
      this.edits.splice(this.placeOf(edit), 0, edit);
    }
    return true;
  }

  /** Edits that are apart and in order: only the neighbours can be in the way. */
  private isFree(edit: TextEdit): boolean {
    const place = this.placeOf(edit);
    return [this.edits[place - 1], this.edits[place]].every(other => other === undefined || areApart(edit, other));
  }

  /** Where the edits begin that stand behind this one. */
  private placeOf({ start }: TextEdit): number {
    return firstFrom(this.edits, edit => edit.start >= start);
  }
}

function areApart(a: TextEdit, b: TextEdit): boolean {
  const touch = a.end === b.start || b.end === a.start;
  return a.end < b.start || b.end < a.start || (touch && a.start < a.end && b.start < b.end);
}

/** The smallest single edit that makes `before` into `after`; it never parts a surrogate pair. */
export function smallestEdit(before: string, after: string): TextEdit {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) {
    start++;
  }
  let tail = 0;
  while (tail < shorter - start && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) {
    tail++;
  }
  if (start > 0 && isHigh(before.charCodeAt(start - 1))) {
    start--;
  }
  if (tail > 0 && isLow(before.charCodeAt(before.length - tail))) {
    tail--;
  }
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
