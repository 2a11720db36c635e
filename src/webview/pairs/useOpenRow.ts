import { useState } from 'preact/hooks';

interface RowStore {
  readonly count: number;
  openPair(position: number): void;
  closePair(): void;
}

interface SavedPosition {
  readonly state: { readonly active?: number };
  update(changes: { readonly active: number }): void;
}

/**
 * Tracks the active row of a table, and opens and closes the pair of a row. An increase of a focus token moves the focus to the table or to
 * the pair.
 */
export function useOpenRow(store: RowStore, saved: SavedPosition) {
  const [active, setActive] = useState(saved.state.active ?? 0);
  const [tableFocus, setTableFocus] = useState(0);
  const [pairFocus, setPairFocus] = useState(0);
  const activate = (position: number): void => {
    setActive(position);
    saved.update({ active: position });
  };
  const focusTable = (): void => setTableFocus(count => count + 1);
  return {
    ...{ active, setActive, activate, tableFocus, pairFocus, focusTable },
    open(position: number, takesFocus: boolean): void {
      store.openPair(position);
      if (takesFocus) {
        setPairFocus(count => count + 1);
      }
    },
    step(from: number, by: number): void {
      const next = from + by;
      if (next >= 0 && next < store.count) {
        activate(next);
        store.openPair(next);
      }
    },
    close(): void {
      store.closePair();
      focusTable();
    },
  };
}
