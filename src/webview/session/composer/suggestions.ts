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

/** A place of a prompt that is to be filled in. */
const place = /\{\{[^{}\n]{1,60}\}\}/g;

/** The next place to fill in from a point of a text on, else the first one; undefined where there is none. */
export function nextPlace(text: string, from: number): { readonly start: number; readonly end: number } | undefined {
  const places = [...text.matchAll(place)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
  return places.find(({ start }) => start >= from) ?? places[0];
}

/** How many places are to be filled in. */
export function countPlaces(text: string): number {
  return text.match(place)?.length ?? 0;
}
