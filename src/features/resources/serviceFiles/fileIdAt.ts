/** Number of characters searched on either side of a position: lines can have millions. */
const reach = 300;
const field = /"file_id"\s{0,20}:\s{0,20}"([^"\\]{1,200})"/g;

/** Returns the file ID in a request at a column of a line, with the range of its field. `undefined` if there is none. */
export function fileIdAt(line: string, column: number): { readonly id: string; readonly start: number; readonly end: number } | undefined {
  const from = Math.max(0, column - reach);
  const near = line.slice(from, column + reach);
  for (const match of near.matchAll(field)) {
    const start = from + match.index;
    const end = start + match[0].length;
    if (start <= column && column <= end) {
      return { id: match[1] ?? '', start, end };
    }
  }
  return undefined;
}
