/** Text before the caret that can be completed: `/` and a word as the whole text, or `@` and the start of a file name anywhere. */
export interface Trigger {
  readonly kind: 'command' | 'file';
  /** Text after the sign. */
  readonly query: string;
  /** Offset of the sign, and of the caret. */
  readonly start: number;
  readonly end: number;
}

/** An item that completes the typed text. */
export interface Suggestion {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
}

const longestQuery = 200;

/** Returns the text before the caret that can be completed, or `undefined` if there is none. */
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

/** Returns the items whose name starts with the query, followed by those that contain it. Ignores case. */
export function matching<T extends Suggestion>(all: readonly T[], query: string): readonly T[] {
  const wanted = query.toLowerCase();
  const places = all.map(item => ({ item, at: item.label.toLowerCase().indexOf(wanted) }));
  return [...places.filter(({ at }) => at === 0), ...places.filter(({ at }) => at > 0)].map(({ item }) => item);
}
