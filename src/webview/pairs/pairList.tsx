import type { VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { PairsState } from '../../shared/comparison/comparisonProtocol';
import type { PairPosition } from './pairFrame';
import { SplitArea } from './splitArea';
import { VirtualGrid } from '../list/virtualGrid';
import { toCount } from '../controls/numbers';
import { Panel } from '../controls/panelContext';
import type { Counts, PairStore } from './pairStore';

type ListStore<Filter extends string, Row, Pair> = Pick<
  PairStore<Filter, Row, Pair, Counts<Filter>>,
  'filter' | 'count' | 'revision' | 'pair' | 'countOf' | 'pages' | 'show' | 'openPair' | 'closePair'
>;

const headRow = { role: 'row', 'aria-rowindex': 1 } as const;
const columnHead = { role: 'columnheader' } as const;

export interface PairRowProps<Row> {
  readonly position: number;
  /** `undefined` until it is loaded. */
  readonly row: Row | undefined;
  readonly top: number;
  readonly isActive: boolean;
  readonly isOpen: boolean;
}

interface ListProps<Filter extends string, Row, Pair> {
  readonly store: ListStore<Filter, Row, Pair>;
  readonly saved: { readonly state: PairsState<Filter>; update(changes: PairsState<Filter>): void };
  readonly filters: FilterChips<Filter>;
  readonly label: string;
  readonly empty: string;
  readonly columns: readonly string[];
  readonly drawRow: (row: PairRowProps<Row>) => VNode;
  readonly drawPair: (pair: Pair | undefined, position: PairPosition) => VNode;
}

interface FilterChips<Filter> {
  readonly label: string;
  readonly all: readonly Filter[];
  /** Filters that are shown even if nothing matches them. */
  readonly always: readonly Filter[];
  readonly wordsOf: (filter: Filter) => string;
}

/** Filters, the table of pairs, and next to it the open pair. */
export function PairList<Filter extends string, Row, Pair>(props: ListProps<Filter, Row, Pair>): VNode {
  const { store, saved, filters, label, empty, columns, drawRow, drawPair } = props;
  const [wanted, setActive] = useState(saved.state.active ?? 0);
  // The list may have become shorter.
  const active = Math.max(0, Math.min(wanted, store.count - 1));
  const [tableFocus, setTableFocus] = useState(0);
  const [pairFocus, setPairFocus] = useState(0);
  const { pair } = store;
  const activate = (position: number): void => {
    setActive(position);
    saved.update({ active: position });
  };
  const open = (position: number, takesFocus: boolean): void => {
    store.openPair(position);
    saved.update({ isOpen: true });
    if (takesFocus) {
      setPairFocus(count => count + 1);
    }
  };
  const close = (): void => {
    store.closePair();
    saved.update({ isOpen: false });
    setTableFocus(count => count + 1);
  };
  const step = (from: number, by: number): void => {
    const next = from + by;
    if (next >= 0 && next < store.count) {
      activate(next);
      store.openPair(next);
    }
  };
  useEffect(() => {
    if (saved.state.isOpen === true) {
      store.openPair(active);
    }
  }, []);
  return (
    <>
      <Filters
        store={store}
        filters={filters}
        onFilter={filter => {
          store.show(filter);
          activate(0);
          saved.update({ filter, isOpen: false });
        }}
      />
      <SplitArea
        saved={saved}
        table={
          <>
            {store.count === 0 ? <p class="empty">{empty}</p> : null}
            <VirtualGrid
              {...{ store, active, label }}
              focusToken={tableFocus}
              columns={columns.length}
              attributes={{ 'aria-keyshortcuts': 'Enter Space' }}
              head={<HeadRow columns={columns} />}
              drawRow={(position, top) =>
                drawRow({ position, row: store.pages.at(position), top, isActive: position === active, isOpen: position === pair?.place })
              }
              onClick={position => {
                if (position !== undefined) {
                  activate(position);
                  open(position, false);
                }
              }}
              onMove={position => {
                activate(position);
                if (pair !== undefined) {
                  open(position, false);
                }
              }}
              onAct={act => {
                if (act === 'open' || act === 'toggle') {
                  open(active, true);
                } else if (act === 'leave' && pair !== undefined) {
                  close();
                } else {
                  return false;
                }
                return true;
              }}
            />
          </>
        }
        pair={
          pair &&
          drawPair(pair.pair, {
            problem: pair.problem,
            position: pair.place,
            count: store.count,
            focusToken: pairFocus,
            onStep: by => step(pair.place, by),
            onClose: close,
          })
        }
      />
    </>
  );
}

function HeadRow({ columns }: { readonly columns: readonly string[] }): VNode {
  return (
    <div {...headRow} class="row headRow">
      {columns.map(title => (
        <div key={title} {...columnHead} class="cell">
          {title}
        </div>
      ))}
    </div>
  );
}

interface FiltersProps<Filter extends string> {
  readonly store: Pick<ListStore<Filter, unknown, unknown>, 'filter' | 'countOf'>;
  readonly filters: FilterChips<Filter>;
  readonly onFilter: (filter: Filter) => void;
}

function Filters<Filter extends string>({ store, filters, onFilter }: FiltersProps<Filter>): VNode {
  const { t, locale, announce } = useContext(Panel);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div class="filters flexWrap" role="group" aria-label={filters.label}>
      {filters.all.map(filter => {
        const count = toCount(store.countOf(filter), locale);
        return store.countOf(filter) === 0 && !filters.always.includes(filter) ? null : (
          <button
            key={filter}
            type="button"
            class="chip"
            aria-pressed={store.filter === filter}
            onClick={() => {
              onFilter(filter);
              announce(t('{0}: {1}', filters.wordsOf(filter), count));
            }}
          >
            {filters.wordsOf(filter)} {count}
          </button>
        );
      })}
    </div>
  );
}
