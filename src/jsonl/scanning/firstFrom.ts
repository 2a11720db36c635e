/**
 * Returns the index of the first item that satisfies `isSo`, by binary search, or the number of items if none does. All items after it must
 * satisfy it too.
 */
export function firstFrom<T>(items: readonly T[], isSo: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(items[middle] as T)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}
