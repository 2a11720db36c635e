import type { CodePiece } from './highlight';

/** Divides code tokens into lines. A token that spans lines appears in each of them, with the same kind. */
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
