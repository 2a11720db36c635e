/** Edit that replaces the UTF-16 columns [start, end) of a line with `text`. LFs in `text` split the line. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits in any order. The edits must not overlap. Two edits must not insert at the same position. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** Edits that can be applied together. The edits don't overlap and don't insert at the same position. */
export class EditSet {
  private readonly edits: TextEdit[] = [];

  /** Adds edits that don't conflict with each other. If one of them conflicts with an existing edit, adds no edits and returns false. */
  add(edits: readonly TextEdit[]): boolean {
    if (!edits.every(edit => this.isFree(edit))) {
      return false;
    }
    for (const edit of edits) {
      this.edits.splice(this.indexOf(edit), 0, edit);
    }
    return true;
  }

  /** Returns whether an edit can be added. Only its two neighbours can conflict with it, because the edits are ordered. */
  private isFree(edit: TextEdit): boolean {
    const index = this.indexOf(edit);
    return [this.edits[index - 1], this.edits[index]].every(other => other === undefined || areApart(edit, other));
  }

  private indexOf({ start }: TextEdit): number {
    return firstFrom(this.edits, edit => edit.start >= start);
  }
}

function areApart(a: TextEdit, b: TextEdit): boolean {
  const touch = a.end === b.start || b.end === a.start;
  return a.end < b.start || b.end < a.start || (touch && a.start < a.end && b.start < b.end);
}

/** Returns the smallest single edit that turns `before` into `after`. Never splits a surrogate pair. */
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

/** Finds by binary search the first index from which on all items satisfy `isSo`, or the number of items. */
export function firstFrom<T>(items: readonly T[], isSo: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(items[middle] as T)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}
