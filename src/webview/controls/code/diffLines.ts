import { diffComm } from 'node-diff3';

/** A line of a diff: only before, only after, or in both. */
export interface DiffLine {
  readonly sign: '-' | '+' | ' ';
  readonly text: string;
}

/** Maximum number of cells in a comparison. If more are needed, the differing middle is shown as removed and added as a whole. */
const maxCells = 1_000_000;

/** Compares two texts line by line. Lines with `-` or ` ` are the first text. Lines with `+` or ` ` are the second text. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const a = before === '' ? [] : before.split('\n');
  const b = after === '' ? [] : after.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) {
    start++;
  }
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) {
    end++;
  }
  return [
    ...toLines(a.slice(0, start), ' '),
    ...diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...toLines(a.slice(a.length - end), ' '),
  ];
}

function toLines(texts: readonly string[] | undefined, sign: DiffLine['sign']): DiffLine[] {
  return (texts ?? []).map(text => ({ sign, text }));
}

function diffMiddle(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length * b.length > maxCells) {
    return [...toLines(a, '-'), ...toLines(b, '+')];
  }
  return diffComm([...a], [...b]).flatMap(part => [
    ...toLines(part.common, ' '),
    ...toLines(part.buffer1, '-'),
    ...toLines(part.buffer2, '+'),
  ]);
}
