/** Match of a search. All numbers are 0-based. */
export interface FoundAt {
  readonly line: number;
  readonly column: number;
  /** Part of the line around the match. */
  readonly excerpt: string;
}

const before = 40;
const around = 160;

/** Finds a text in another one, ignoring case. At most one match per line and `most` in total. */
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
