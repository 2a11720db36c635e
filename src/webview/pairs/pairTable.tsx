import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isRowMove, rowAfter } from '../list/rowMoves';
import '../results/table.css';
import { actOfKey } from '../results/tableKeys';
import { rowHeight, useTableScrolling } from '../results/useTableScrolling';

/** Rows and heads are no elements of a table: those could not lie where the rows that are seen are. */
const headRow = { role: 'row', 'aria-rowindex': 1 } as const;
const columnHead = { role: 'columnheader' } as const;

/** Where a row stands, and what of it is known. */
export interface PairRowProps<Row> {
  readonly place: number;
  /** Undefined while it is on its way. */
  readonly row: Row | undefined;
  /** Pixels from where the rows begin. */
  readonly top: number;
  readonly isActive: boolean;
  readonly isOpen: boolean;
}

/** What a table shows of a store. */
interface TableStore<Row> {
  readonly count: number;
  readonly revision: number;
  readonly pair: { readonly place: number } | undefined;
  rowAt(place: number): Row | undefined;
  want(from: number, to: number): void;
}

interface TableProps<Row> {
  readonly store: TableStore<Row>;
  readonly active: number;
  /** Changes when the keyboard is to come here. */
  readonly focusToken: number;
  readonly label: string;
  readonly columns: readonly string[];
  readonly drawRow: (row: PairRowProps<Row>) => VNode;
  readonly onActive: (place: number) => void;
  readonly onOpen: (place: number, takesFocus: boolean) => void;
  readonly onClose: () => void;
}

/** Rows are drawn this many pixels above and below what is in view. */
const margin = 2 * rowHeight;

/** The rows that can be seen of any number: the host is asked for those, and the page holds no others. */
export function PairTable<Row>({ store, active, focusToken, label, columns, drawRow, ...acts }: TableProps<Row>): VNode {
  const { onActive, onOpen, onClose } = acts;
  const grid = useRef<HTMLDivElement>(null);
  const { shown, top, onScroll } = useTableScrolling(grid, store, active);
  const range = shown.rangeAt(top, margin);
  useLayoutEffect(() => store.want(range.from, range.to));
  useLayoutEffect(() => {
    if (focusToken > 0) {
      grid.current?.focus({ preventScroll: true });
    }
  }, [focusToken]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = actOfKey(event);
    if (act === undefined || event.target !== grid.current) {
      return;
    }
    const place = isRowMove(act) ? rowAfter(act, active, shown, (shown.viewport % rowHeight) + rowHeight) : undefined;
    if (place !== undefined) {
      event.preventDefault();
      onActive(place);
      if (store.pair !== undefined) {
        onOpen(place, false);
      }
    } else if (act === 'open' || act === 'toggle') {
      event.preventDefault();
      onOpen(active, true);
    } else if (act === 'leave' && store.pair !== undefined) {
      event.preventDefault();
      onClose();
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a table could not lie where those that are seen are
    <div
      ref={grid}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-colcount={columns.length}
      aria-label={label}
      aria-rowcount={store.count + 1}
      aria-activedescendant={active < store.count ? `row-${active}` : undefined}
      aria-keyshortcuts="Enter Space"
      onScroll={onScroll}
      onClick={event => {
        const row = event.target instanceof Element ? event.target.closest('.extent > .row') : null;
        if (row !== null) {
          const place = Number(row.getAttribute('aria-rowindex')) - 2;
          onActive(place);
          onOpen(place, false);
        }
      }}
      onKeyDown={onKeyDown}
    >
      <div {...headRow} class="row headRow">
        {columns.map(title => (
          <div key={title} {...columnHead} class="cell">
            {title}
          </div>
        ))}
      </div>
      <div class="extent" role="presentation" style={{ height: `${shown.extent}px` }}>
        {shown.drawnOf(range, active).map(place =>
          drawRow({
            place,
            row: store.rowAt(place),
            top: shown.offsetOf(place, top),
            isActive: place === active,
            isOpen: place === store.pair?.place,
          }),
        )}
      </div>
    </div>
  );
}
