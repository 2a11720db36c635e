/** Position in a list of the service: the cursor of a page, and the number of its items that were already returned. */
export interface PagePosition {
  readonly cursor: string | undefined;
  readonly skip: number;
}

/** Parses a cursor created by `nextInPage`. Any other text means the start of the list. */
export function readPageCursor(text: string | undefined): PagePosition {
  const [, skip, cursor = ''] = /^(\d{1,6}):(.*)$/s.exec(text ?? '') ?? [];
  return { skip: Number(skip ?? 0), cursor: cursor === '' ? undefined : cursor };
}

/**
 * Returns a function that creates the cursor after the first `count` returned items of a page. `indexes` are the indexes of these items in
 * the page, ascending. `nextCursor` is the cursor of the next page.
 */
export function nextInPage(
  page: PagePosition,
  indexes: readonly number[],
  nextCursor: string | undefined,
): (count: number) => string | undefined {
  return count => {
    const index = indexes[count];
    if (index !== undefined) {
      return `${index}:${page.cursor ?? ''}`;
    }
    return nextCursor === undefined ? undefined : `0:${nextCursor}`;
  };
}
