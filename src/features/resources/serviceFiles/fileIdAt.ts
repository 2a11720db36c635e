/** Characters on either side of a place that are looked at: lines can have millions. */
const reach = 300;
const field = /"file_id"\s{0,20}:\s{0,20}"([^"\\]{1,200})"/g;

/** The id of a file that a request names where a column of its line is, with the place of the field; undefined elsewhere. */
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
