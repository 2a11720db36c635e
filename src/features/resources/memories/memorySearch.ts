/** A place where a text was found. All numbers count from 0. */
export interface FoundAt {
  readonly line: number;
  readonly column: number;
  /** The line around it. */
  readonly excerpt: string;
}

const before = 40;
const around = 160;

/** The places of a text in another, in either case of its letters, at most one a line and `most` in all. */
export function findIn(text: string, wanted: string, most: number): readonly FoundAt[] {
  const found: FoundAt[] = [];
  const lower = wanted.toLowerCase();
  for (const [line, content] of text.split(/\r\n|\r|\n/).entries()) {
    if (found.length >= most) {
      break;
    }
    const column = Math.min(content.toLowerCase().indexOf(lower), content.length);
    if (column >= 0) {
      const start = Math.max(0, column - before);
      found.push({ line, column, excerpt: `${start > 0 ? '…' : ''}${content.slice(start, start + around).trim()}` });
    }
  }
  return found;
}
