/** Returns the id derived for bare message params on a 0-based line. */
export function derivedId(line: number): string {
  return `line-${line + 1}`;
}

/** Returns the 0-based line for which `id` would be derived, or `undefined` if it does not have that form. */
export function lineOfDerivedId(id: string): number | undefined {
  const match = /^line-([1-9]\d{0,14})$/.exec(id);
  return match === null ? undefined : Number(match[1]) - 1;
}
