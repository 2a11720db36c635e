/** The id made for bare message params on a line that counts from 0. */
export function madeId(line: number): string {
  return `line-${line + 1}`;
}

/** The line, from 0, whose made id `id` is, or undefined when it has not that form. */
export function lineOfMadeId(id: string): number | undefined {
  const match = /^line-([1-9]\d{0,14})$/.exec(id);
  return match === null ? undefined : Number(match[1]) - 1;
}
