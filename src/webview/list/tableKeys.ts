import { moveKeys, type RowMove } from './rowMoves';

export type TableAct = RowMove | 'open' | 'toggle' | 'all' | 'copy' | 'search' | 'leave';

interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

const acts: ReadonlyMap<string, TableAct> = new Map<string, TableAct>([
  ...Object.entries(moveKeys),
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

/** Returns the action of a key in the table, or `undefined` for keys that aren't the table's. */
export function actOfKey({ key, ctrlKey, metaKey, altKey }: KeyPress): TableAct | undefined {
  if (altKey) {
    return undefined;
  }
  return ctrlKey || metaKey ? withCtrl.get(key.length === 1 ? key.toLowerCase() : key) : acts.get(key);
}
