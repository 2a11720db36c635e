export type TableAct = 'up' | 'down' | 'pageUp' | 'pageDown' | 'first' | 'last' | 'open' | 'toggle' | 'all' | 'copy' | 'search' | 'leave';

interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

const acts: ReadonlyMap<string, TableAct> = new Map<string, TableAct>([
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['PageUp', 'pageUp'],
  ['PageDown', 'pageDown'],
  ['Home', 'first'],
  ['End', 'last'],
  ['Enter', 'open'],
  [' ', 'toggle'],
  ['/', 'search'],
  ['Escape', 'leave'],
]);
const withCtrl: ReadonlyMap<string, TableAct> = new Map<string, TableAct>([
  ['a', 'all'],
  ['c', 'copy'],
  ['Home', 'first'],
  ['End', 'last'],
  ['f', 'search'],
]);

/** What a key does in the table; undefined for keys that belong to somebody else. */
export function actOfKey({ key, ctrlKey, metaKey, altKey }: KeyPress): TableAct | undefined {
  if (altKey) {
    return undefined;
  }
  return ctrlKey || metaKey ? withCtrl.get(key.length === 1 ? key.toLowerCase() : key) : acts.get(key);
}

/** Where a key leads from a place, of `count` places. */
export function placeAfter(act: TableAct, place: number, page: number, count: number): number | undefined {
  const target = targetOf(act, place, page, count);
  return target === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, target));
}

function targetOf(act: TableAct, place: number, page: number, count: number): number | undefined {
  switch (act) {
    case 'up':
      return place - 1;
    case 'down':
      return place + 1;
    case 'pageUp':
      return place - page;
    case 'pageDown':
      return place + page;
    case 'first':
      return 0;
    case 'last':
      return count - 1;
    default:
      return undefined;
  }
}
