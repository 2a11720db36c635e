import type { CodePiece } from './highlight';

/** The pieces of code line by line: what goes over several lines is in each of them, of the same sort. */
export function toCodeLines(pieces: readonly CodePiece[]): readonly (readonly CodePiece[])[] {
  const lines: CodePiece[][] = [[]];
  for (const piece of pieces) {
    const parts: readonly (readonly CodePiece[])[] =
      typeof piece === 'string'
        ? piece.split('\n').map(text => (text === '' ? [] : [text]))
        : toCodeLines(piece.pieces).map(inner => (inner.length === 0 ? [] : [{ sort: piece.sort, pieces: inner }]));
    for (const [index, part] of parts.entries()) {
      if (index > 0) {
        lines.push([]);
      }
      lines.at(-1)?.push(...part);
    }
  }
  return lines;
}
