import type { ListWindow } from './listWindow';

/** Keyboard moves between rows. */
export type RowMove = 'previous' | 'next' | 'pageUp' | 'pageDown' | 'first' | 'last';

/** Keys that move from row to row in every list. */
export const moveKeys = {
  ArrowUp: 'previous',
  ArrowDown: 'next',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
  Home: 'first',
  End: 'last',
} as const satisfies Readonly<Record<string, RowMove>>;

const moves: ReadonlySet<string> = new Set(Object.values(moveKeys));

export function isRowMove(act: string): act is RowMove {
  return moves.has(act);
}

/** Returns the row after a move, or `undefined` in an empty list. `overlap` is the same as for `pageFrom`. */
export function rowAfter(move: RowMove, index: number, window: ListWindow, overlap = 0): number | undefined {
  const { length } = window.heights;
  return length === 0 ? undefined : Math.max(0, Math.min(length - 1, targetOf(move, index, window, overlap)));
}

function targetOf(move: RowMove, index: number, window: ListWindow, overlap: number): number {
  switch (move) {
    case 'previous':
      return index - 1;
    case 'next':
      return index + 1;
    case 'pageUp':
      return window.pageFrom(index, -1, overlap);
    case 'pageDown':
      return window.pageFrom(index, 1, overlap);
    case 'first':
      return 0;
    case 'last':
      return window.heights.length - 1;
  }
}
