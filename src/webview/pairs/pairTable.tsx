import type { VNode } from 'preact';
import { VirtualGrid } from '../list/virtualGrid';

const headRow = { role: 'row', 'aria-rowindex': 1 } as const;
const columnHead = { role: 'columnheader' } as const;

export interface PairRowProps<Row> {
  readonly place: number;
  /** `undefined` until it is loaded. */
  readonly row: Row | undefined;
  /** Distance from the first row, in pixels. */
  readonly top: number;
  readonly isActive: boolean;
  readonly isOpen: boolean;
}

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
  /** A new number moves the focus to the table. */
  readonly focusToken: number;
  readonly label: string;
  readonly columns: readonly string[];
  readonly drawRow: (row: PairRowProps<Row>) => VNode;
  readonly onActive: (place: number) => void;
  readonly onOpen: (place: number, takesFocus: boolean) => void;
  readonly onClose: () => void;
}

/** A table of pairs, of which one can be open. */
export function PairTable<Row>({ store, active, focusToken, label, columns, drawRow, ...acts }: TableProps<Row>): VNode {
  const { onActive, onOpen, onClose } = acts;
  const openPlace = store.pair?.place;
  return (
    <VirtualGrid
      {...{ store, active, focusToken, label }}
      columns={columns.length}
      attributes={{ 'aria-keyshortcuts': 'Enter Space' }}
      head={
        <div {...headRow} class="row headRow">
          {columns.map(title => (
            <div key={title} {...columnHead} class="cell">
              {title}
            </div>
          ))}
        </div>
      }
      drawRow={(place, top) => drawRow({ place, row: store.rowAt(place), top, isActive: place === active, isOpen: place === openPlace })}
      onClick={place => {
        if (place !== undefined) {
          onActive(place);
          onOpen(place, false);
        }
      }}
      onMove={place => {
        onActive(place);
        if (openPlace !== undefined) {
          onOpen(place, false);
        }
      }}
      onAct={act => {
        if (act === 'open' || act === 'toggle') {
          onOpen(active, true);
          return true;
        }
        if (act === 'leave' && openPlace !== undefined) {
          onClose();
          return true;
        }
        return false;
      }}
    />
  );
}
