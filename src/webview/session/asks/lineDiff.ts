/** A line of a comparison: only before, only after, or in both. */
export interface DiffLine {
  readonly sign: '-' | '+' | ' ';
  readonly text: string;
}

/** Above so many cells of comparison the differing middle is shown as taken out and put in as a whole. */
const mostCells = 1_000_000;

/** Compares two texts line by line. The lines with `-` and ` ` make up the first, those with `+` and ` ` the second. */
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

function toLines(texts: readonly string[], sign: DiffLine['sign']): DiffLine[] {
  return texts.map(text => ({ sign, text }));
}

/** By the longest common subsequence of lines. */
function diffMiddle(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length * b.length > mostCells) {
    return [...toLines(a, '-'), ...toLines(b, '+')];
  }
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const below = lengths[(i + 1) * width + j] ?? 0;
      const right = lengths[i * width + j + 1] ?? 0;
      lengths[i * width + j] = a[i] === b[j] ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(below, right);
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i] ?? '' });
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))) {
      lines.push({ sign: '-', text: a[i] ?? '' });
      i++;
    } else {
      lines.push({ sign: '+', text: b[j] ?? '' });
      j++;
    }
  }
  return lines;
}
