/** Returns one field of each item. */
export function fieldOf<T, K extends keyof T>(items: readonly T[] | undefined, field: K): T[K][] | undefined {
  return items?.map(item => item[field]);
}
