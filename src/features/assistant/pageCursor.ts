/** A place in a list of the service: a page, by its cursor, and how many of its items were told already. */
export interface PagePlace {
  readonly cursor: string | undefined;
  readonly skip: number;
}

/** Reads a cursor that `nextInPage` made; anything else is the begin. */
export function readPageCursor(text: string | undefined): PagePlace {
  const [, skip, cursor = ''] = /^(\d{1,6}):(.*)$/s.exec(text ?? '') ?? [];
  return { skip: Number(skip ?? 0), cursor: cursor === '' ? undefined : cursor };
}

/**
 * The cursor behind the first `count` of the items that were told of a page. `places` says where each stood in the page, ascending;
 * `following` is the cursor of the page behind.
 */
export function nextInPage(
  page: PagePlace,
  places: readonly number[],
  following: string | undefined,
): (count: number) => string | undefined {
  return count => {
    const place = places[count];
    if (place !== undefined) {
      return `${place}:${page.cursor ?? ''}`;
    }
    return following === undefined ? undefined : `0:${following}`;
  };
}
