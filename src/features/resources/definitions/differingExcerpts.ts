/** Number of characters shown before the first difference. */
const context = 30;
const length = 160;

/** Returns an excerpt of each of two values, on one line, that starts shortly before they differ. `undefined` stays `undefined`. */
export function differingExcerpts(mine: unknown, theirs: unknown): readonly [mine: string | undefined, theirs: string | undefined] {
  const [a, b] = [toText(mine), toText(theirs)];
  let same = 0;
  while (a !== undefined && b !== undefined && same < a.length && a[same] === b[same]) {
    same++;
  }
  const from = Math.max(0, same - context, (a ?? '').lastIndexOf('\n', same - 1) + 1);
  const excerpt = (text: string | undefined) =>
    text === undefined
      ? undefined
      : `${from > 0 ? '…' : ''}${text.slice(from, from + length)}${text.length > from + length ? '…' : ''}`.replaceAll('\n', ' ⏎ ');
  return [excerpt(a), excerpt(b)];
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : (JSON.stringify(value) as string | undefined);
}
