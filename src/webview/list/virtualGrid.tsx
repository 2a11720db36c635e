import type { ComponentChildren, HTMLAttributes, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ownValue } from '../../shared/isRecord';
import { useFocusToken } from '../controls/focus';
import { EvenHeights, isRowMove, ListWindow, moveKeys, type RowMove, rowAfter } from './listWindow';
import type { RowPages } from './rowPages';
import './table.css';

interface GridStore {
  readonly count: number;
  readonly revision: number;
  readonly pages: Pick<RowPages<unknown>, 'want'>;
}

interface VirtualGridProps {
  readonly store: GridStore;
  readonly active: number;
  /** A change of this number moves the focus to the grid. */
  readonly focusToken: number;
  readonly columns: number;
  readonly label: string;
  readonly attributes?: HTMLAttributes<HTMLDivElement>;
  readonly head: ComponentChildren;
  /** Renders a row at this distance from the first, in pixels. */
  readonly drawRow: (position: number, top: number) => VNode;
  readonly onClick: (position: number | undefined, event: MouseEvent) => void;
  readonly onMove: (position: number, event: KeyboardEvent) => void;
  /** Called for other keys. Returns whether the key was used. */
  readonly onAct: (act: TableAct, event: KeyboardEvent) => boolean;
}

/** Height of every row, in pixels. */
const rowHeight = 24;

const headHeight = 26;

/** Distance above and below the viewport in which rows are rendered, in pixels. */
const margin = 2 * rowHeight;

/** A table of any number of rows, which renders only the rows in view. */
export function VirtualGrid(props: VirtualGridProps): VNode {
  const { store, active, focusToken, columns, label, attributes, head, drawRow, onClick } = props;
  const grid = useRef<HTMLDivElement>(null);
  const { shown, top, onScroll } = useTableScrolling(grid, store, active);
  const range = shown.rangeAt(top, margin);
  useLayoutEffect(() => store.pages.want(range.from, range.to));
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
        {shown.renderedOf(range, active).map(position => drawRow(position, shown.offsetOf(position, top)))}
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
  const position = rowAfter(act, active, shown, (shown.viewport % rowHeight) + rowHeight);
  if (position !== undefined) {
    onMove(position, event);
  }
  return true;
}

/** Returns the position of the row under the pointer. */
export function positionUnder({ target }: MouseEvent): number | undefined {
  const row = target instanceof Element ? target.closest('.extent > .row') : null;
  return row === null ? undefined : Number(row.getAttribute('aria-rowindex')) - 2;
}

export type TableAct = RowMove | 'open' | 'toggle' | 'all' | 'copy' | 'search' | 'leave';

const acts: Readonly<Record<string, TableAct>> = {
  ...moveKeys,
  Enter: 'open',
  ' ': 'toggle',
  '/': 'search',
  Escape: 'leave',
  'Ctrl+a': 'all',
  'Ctrl+c': 'copy',
  'Ctrl+Home': 'first',
  'Ctrl+End': 'last',
  'Ctrl+f': 'search',
};

/** Returns the action of a key in the table, or `undefined` for keys that aren't the table's. */
function actOfKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): TableAct | undefined {
  const name = key.length === 1 ? key.toLowerCase() : key;
  return altKey ? undefined : ownValue(acts, ctrlKey || metaKey ? `Ctrl+${name}` : name);
}

/**
 * Tracks the scroll position of a table. Scrolls the active row into view when it changes, or when a new `revision` brings new rows. In a
 * list taller than the maximum element height, the wheel scrolls the same number of rows as in any other list.
 */
function useTableScrolling(
  grid: { readonly current: HTMLDivElement | null },
  store: { readonly count: number; readonly revision: number },
  active: number,
): { readonly shown: ListWindow; readonly top: number; readonly onScroll: () => void } {
  const [wanted, setTop] = useState(0);
  const [viewport, setViewport] = useState(0);
  const ownScroll = useRef<number>(undefined);
  const shown = new ListWindow(new EvenHeights(store.count, rowHeight), viewport);
  const top = shown.clamp(wanted);
  const latest = useRef({ shown, top });
  latest.current = { shown, top };
  const scrollTo = (next: number): void => {
    setTop(next);
    latest.current.top = next;
    if (grid.current !== null) {
      grid.current.scrollTop = latest.current.shown.scrollTopAt(next);
      ownScroll.current = grid.current.scrollTop;
    }
  };
  useLayoutEffect(() => {
    const element = grid.current;
    if (element === null) {
      return undefined;
    }
    const measure = (): void => setViewport(Math.max(0, element.clientHeight - headHeight));
    const onWheel = (event: WheelEvent): void => {
      const next = latest.current.shown.topAfterWheel(event, latest.current.top, rowHeight);
      if (next !== undefined) {
        event.preventDefault();
        scrollTo(next);
      }
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    measure();
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => sizes.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (viewport > 0) {
      scrollTo(shown.topToShow(active, top));
    }
  }, [active, viewport, store.revision]);
  const onScroll = (): void => {
    const { current } = grid;
    if (current !== null && current.scrollTop !== ownScroll.current) {
      ownScroll.current = undefined;
      setTop(shown.topAt(current.scrollTop));
    }
  };
  return { shown, top, onScroll };
}

/** ARIA roles instead of table elements, because the rows are positioned absolutely. */
const gridCell = { role: 'gridcell' } as const;

export interface TableRowProps {
  readonly position: number;
  /** Distance from the first row, in pixels. */
  readonly top: number;
  readonly isActive: boolean;
  /** True if the row is selected, in tables with multiple selection. By default the active row is selected. */
  readonly isSelected?: boolean;
  readonly isOpen: boolean;
  readonly isComing: boolean;
  readonly className?: string | undefined;
  readonly children?: ComponentChildren;
}

/** A row of a table that renders only the rows in view, or a placeholder until the row is loaded. */
export function TableRow({ position, top, isActive, isSelected, isOpen, isComing, className, children }: TableRowProps): VNode {
  const kind = isComing ? ' isComing' : className === undefined ? '' : ` ${className}`;
  const state = `${isActive ? ' isActive' : ''}${isSelected === true ? ' isSelected' : ''}${isOpen ? ' isOpen' : ''}`;
  const shared = {
    id: `row-${position}`,
    role: 'row' as const,
    'aria-rowindex': position + 2,
    'aria-selected': isSelected ?? isActive,
    style: { top: `${top}px` },
  };
  return (
    <div {...shared} class={`row hoverable${kind}${state}`} aria-busy={isComing ? true : undefined}>
      {isComing ? <Cell>…</Cell> : children}
    </div>
  );
}

/** Attributes of the row of column headers, and of a header. */
export const headRow = { role: 'row', 'aria-rowindex': 1 } as const;
export const columnHead = { role: 'columnheader' } as const;

interface CellProps {
  readonly className?: string | undefined;
  readonly title?: string;
  readonly children: ComponentChildren;
}

export function Cell({ className, title, children }: CellProps): VNode {
  return (
    <div {...gridCell} class={className === undefined ? 'cell' : `cell ${className}`} title={title}>
      {children}
    </div>
  );
}
