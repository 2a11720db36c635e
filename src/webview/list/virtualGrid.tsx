import type { ComponentChildren, HTMLAttributes, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useFocusToken } from '../controls/focus';
import type { ListWindow } from './listWindow';
import { isRowMove, moveKeys, rowAfter, type RowMove } from './rowMoves';
import './table.css';
import { rowHeight, useTableScrolling } from './useTableScrolling';

interface GridStore {
  readonly count: number;
  readonly revision: number;
  want(from: number, to: number): void;
}

interface VirtualGridProps {
  readonly store: GridStore;
  readonly active: number;
  /** A new number moves the focus to the grid. */
  readonly focusToken: number;
  readonly columns: number;
  readonly label: string;
  readonly attributes?: HTMLAttributes<HTMLDivElement>;
  readonly head: ComponentChildren;
  /** Renders a row at this distance from the first, in pixels. */
  readonly drawRow: (place: number, top: number) => VNode;
  /** Called with the row under the pointer, if any. */
  readonly onClick: (place: number | undefined, event: MouseEvent) => void;
  /** Called when a key moves to another row. */
  readonly onMove: (place: number, event: KeyboardEvent) => void;
  /** Called for other keys; returns whether the key was used. */
  readonly onAct: (act: TableAct, event: KeyboardEvent) => boolean;
}

/** Distance above and below the viewport in which rows are rendered, in pixels. */
const margin = 2 * rowHeight;

/** A table of any number of rows, which renders only those in view. */
export function VirtualGrid(props: VirtualGridProps): VNode {
  const { store, active, focusToken, columns, label, attributes, head, drawRow, onClick } = props;
  const grid = useRef<HTMLDivElement>(null);
  const { shown, top, onScroll } = useTableScrolling(grid, store, active);
  const range = shown.rangeAt(top, margin);
  useLayoutEffect(() => store.want(range.from, range.to));
  useFocusToken(grid, focusToken);
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a table element can't be positioned
    <div
      {...attributes}
      ref={grid}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-colcount={columns}
      aria-label={label}
      aria-rowcount={store.count + 1}
      aria-activedescendant={active < store.count ? `row-${active}` : undefined}
      onScroll={onScroll}
      onClick={event => onClick(positionUnder(event), event)}
      onKeyDown={event => {
        if (event.target === grid.current && press(event, shown, props)) {
          event.preventDefault();
        }
      }}
    >
      {head}
      <div class="extent" role="presentation" style={{ height: `${shown.extent}px` }}>
        {shown.renderedOf(range, active).map(place => drawRow(place, shown.offsetOf(place, top)))}
      </div>
    </div>
  );
}

function press(event: KeyboardEvent, shown: ListWindow, { active, onMove, onAct }: VirtualGridProps): boolean {
  const act = actOfKey(event);
  if (act === undefined || !isRowMove(act)) {
    return act !== undefined && onAct(act, event);
  }
  // Page keys move by whole rows and keep one row in view.
  const place = rowAfter(act, active, shown, (shown.viewport % rowHeight) + rowHeight);
  if (place !== undefined) {
    onMove(place, event);
  }
  return true;
}

/** Returns the position of the row under the pointer. */
export function positionUnder({ target }: MouseEvent): number | undefined {
  const row = target instanceof Element ? target.closest('.extent > .row') : null;
  return row === null ? undefined : Number(row.getAttribute('aria-rowindex')) - 2;
}

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
