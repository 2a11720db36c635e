import type { VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { ComparedPairView, ComparisonHead, PairsState } from '../../shared/comparison/comparisonProtocol';
import { toCount } from '../controls/numbers';
import { Panel } from '../controls/panelContext';
import type { SavedState } from '../controls/savedState';
import { Cell, TableRow } from '../list/tableRow';
import { VirtualGrid } from '../list/virtualGrid';
import type { PairPosition } from './pairFrame';
import type { PairStore } from './pairStore';
import { SplitArea } from './splitArea';

const headRow = { role: 'row', 'aria-rowindex': 1 } as const;
const columnHead = { role: 'columnheader' } as const;

interface ListProps {
  readonly store: PairStore;
  readonly head: ComparisonHead;
  readonly saved: SavedState<PairsState>;
  readonly drawPair: (pair: ComparedPairView | undefined, position: PairPosition) => VNode;
}

/** Filters, the table of pairs, and next to it the open pair. */
export function PairList({ store, head, saved, drawPair }: ListProps): VNode {
  const { columns } = head;
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
        head={head}
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
            {store.count === 0 ? <p class="empty">{head.empty}</p> : null}
            <VirtualGrid
              {...{ store, active }}
              label={head.tableLabel}
              focusToken={tableFocus}
              columns={columns.length}
              attributes={{ 'aria-keyshortcuts': 'Enter Space' }}
              head={<HeadRow columns={columns} />}
              drawRow={(position, top) => {
                const row = store.pages.at(position);
                const place = { position, top, isActive: position === active, isOpen: position === pair?.place };
                return (
                  <TableRow key={position} {...place} isComing={row === undefined} className={row?.isTurn === true ? 'isTurn' : undefined}>
                    {row?.cells.map(({ words, className }, column) => (
                      <Cell key={column} className={className} title={words}>
                        {className?.startsWith('mark-') === true ? <span class="mark">{words}</span> : words}
                      </Cell>
                    ))}
                  </TableRow>
                );
              }}
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

interface FiltersProps extends Pick<ListProps, 'store' | 'head'> {
  readonly onFilter: (filter: string) => void;
}

function Filters({ store, head, onFilter }: FiltersProps): VNode {
  const { t, locale, announce } = useContext(Panel);
  const shown = head.filters.filter(({ id, count }, index) => count > 0 || index === 0 || id === store.filter);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div class="filters flexWrap" role="group" aria-label={head.filtersLabel}>
      {shown.map(({ id, label, count }) => (
        <button
          key={id}
          type="button"
          class="chip"
          aria-pressed={store.filter === id}
          onClick={() => {
            onFilter(id);
            announce(t('{0}: {1}', label, toCount(count, locale)));
          }}
        >
          {label} {toCount(count, locale)}
        </button>
      ))}
    </div>
  );
}
