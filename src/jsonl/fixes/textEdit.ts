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

/** Whether edits could be applied together with others: they share no character and insert at no common place. */
export function areApart(edits: readonly TextEdit[], others: readonly TextEdit[]): boolean {
  return edits.every(a => others.every(b => a.end < b.start || b.end < a.start || (touches(a, b) && a.start < a.end && b.start < b.end)));
}

function touches(a: TextEdit, b: TextEdit): boolean {
  return a.end === b.start || b.end === a.start;
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
