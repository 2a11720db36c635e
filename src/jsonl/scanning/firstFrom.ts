/** Where the items begin for which `isSo` holds, when it holds for all behind one for which it does; their number when it never does. */
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
