/** What is typed that can be completed: `/` and a word as the whole of the text, or `@` and the beginning of a file anywhere in it. */
export interface Trigger {
  readonly kind: 'command' | 'file';
  /** What stands behind the sign. */
  readonly query: string;
  /** Where the sign stands, and where the caret does. */
  readonly start: number;
  readonly end: number;
}

/** Something that can be chosen to complete what is typed. */
export interface Suggestion {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
}

const longestQuery = 200;

/** What can be completed before the caret; undefined when nothing can. */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(Math.max(0, caret - longestQuery - 2), caret);
  const offset = caret - before.length;
  if (offset === 0 && before.startsWith('/') && !/[\s/]/.test(before.slice(1))) {
    return { kind: 'command', query: before.slice(1), start: 0, end: caret };
  }
  const at = before.lastIndexOf('@');
  const query = before.slice(at + 1);
  const isFree = at === 0 ? offset === 0 : /[\s("'`[]/.test(before.charAt(at - 1));
  return at !== -1 && isFree && query.length <= longestQuery && !/\s/.test(query)
    ? { kind: 'file', query, start: offset + at, end: caret }
    : undefined;
}

/** Those whose name begins with what was typed, then those that have it in it; case does not matter. */
export function matching<T extends Suggestion>(all: readonly T[], query: string): readonly T[] {
  const wanted = query.toLowerCase();
  const places = all.map(item => ({ item, at: item.label.toLowerCase().indexOf(wanted) }));
  return [...places.filter(({ at }) => at === 0), ...places.filter(({ at }) => at > 0)].map(({ item }) => item);
}
