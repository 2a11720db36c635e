import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ResultOrder, ResultsState } from '../../shared/results/resultsProtocol';
import type { SavedState } from '../controls/savedState';
import type { PositionRanges } from './positionRanges';
import type { ResultsStore } from './resultsStore';

/** Query, order, selection and open pair of the results. Query, order and open pair survive a reload and new rows. */
export interface ShownResults {
  readonly query: string;
  readonly order: ResultOrder | undefined;
  readonly active: number;
  readonly selected: PositionRanges;
  readonly tableFocus: number;
  readonly pairFocus: number;
  arrange(query: string, order: ResultOrder | undefined): void;
  activate(place: number): void;
  select(ranges: PositionRanges): void;
  open(place: number, takesFocus: boolean): void;
  step(from: number, step: number): void;
  close(): void;
  focusTable(): void;
}

interface ShownOptions {
  readonly store: ResultsStore;
  readonly saved: SavedState<ResultsState>;
  /** Counts the results that were sent to the page. */
  readonly data: number;
  readonly isReady: boolean;
  readonly announceCount: (count: number, all: number) => void;
}

export function useShownResults(options: ShownOptions): ShownResults {
  const { store, saved } = options;
  const [query, setQuery] = useState(saved.state.query ?? '');
  const [order, setOrder] = useState<ResultOrder | undefined>(saved.state.order);
  const [active, setActive] = useState(saved.state.active ?? 0);
  const [selected, setSelected] = useState<PositionRanges>([]);
  const [tableFocus, setTableFocus] = useState(0);
  const [pairFocus, setPairFocus] = useState(0);
  const openId = useRef(saved.state.open);
  /** Id of the pair that was open when the latest rows were requested. */
  const keptId = useRef<string>(undefined);

  const ask = (nextQuery: string, nextOrder: ResultOrder | undefined): void => {
    keptId.current = openId.current;
    store.arrange(nextQuery, nextOrder, openId.current);
  };
  const shown: ShownResults = {
    ...{ query, order, active, selected, tableFocus, pairFocus },
    arrange(nextQuery, nextOrder) {
      setQuery(nextQuery);
      setOrder(nextOrder);
      ask(nextQuery, nextOrder);
    },
    activate(place) {
      setActive(place);
      saved.update({ active: place });
    },
    select: setSelected,
    open(place, takesFocus) {
      if (place < store.count) {
        // The pair itself has the complete id.
        const row = store.pages.at(place);
        openId.current = row?.key ?? row?.id ?? openId.current;
        store.openPair(place);
        if (takesFocus) {
          setPairFocus(count => count + 1);
        }
      }
    },
    step(from, step) {
      const next = from + step;
      if (next >= 0 && next < store.count) {
        shown.activate(next);
        store.openPair(next);
      }
    },
    close() {
      openId.current = undefined;
      saved.update({ open: undefined } as unknown as Partial<ResultsState>);
      store.closePair();
      shown.focusTable();
    },
    focusTable: () => setTableFocus(count => count + 1),
  };
  useArrivals(options, shown, { openId, keptId, ask: () => ask(query, order), setActive });
  useEffect(() => {
    if (store.refused !== undefined) {
      setQuery(store.refused.query);
      setOrder(store.shownBy.order);
    } else if (store.arranged !== undefined) {
      // The host may have rewritten the query.
      setQuery(store.shownBy.query);
    }
  }, [store.refused, store.arranged]);
  return shown;
}

interface OpenPair {
  readonly openId: { current: string | undefined };
  readonly keptId: { current: string | undefined };
  readonly ask: () => void;
  readonly setActive: (place: number | ((before: number) => number)) => void;
}

function useArrivals(
  { store, saved, data, isReady, announceCount }: ShownOptions,
  shown: ShownResults,
  { openId, keptId, ask, setActive }: OpenPair,
): void {
  /** True if the host chose the open pair. A filter that hides it is then cleared. */
  const isNamed = useRef(false);
  const { arranged, pair } = store;
  useEffect(() => {
    if (isReady) {
      ask();
    }
  }, [data, isReady]);
  useLayoutEffect(() => {
    if (arranged === undefined) {
      return;
    }
    shown.select([]);
    saved.update({ ...store.shownBy } as Partial<ResultsState>);
    const { count, place, all } = arranged;
    const isHidden = isNamed.current && place === undefined && store.shownBy.query !== '';
    if (openId.current !== keptId.current) {
      // A pair was opened while these rows were loading.
      ask();
      return;
    }
    isNamed.current = false;
    if (isHidden) {
      shown.arrange('', shown.order);
      return;
    }
    if (place !== undefined && openId.current !== undefined) {
      setActive(place);
      store.reopenPair(place);
    } else {
      // The open pair isn't among the rows. Its id is remembered, so that it opens again once the query matches it.
      store.pair = undefined;
      setActive(current => Math.max(0, Math.min(current, count - 1)));
    }
    announceCount(count, all);
  }, [arranged]);
  useEffect(() => {
    const filter = store.takeFilter();
    if (filter !== undefined && filter !== shown.query) {
      shown.arrange(filter, shown.order);
    }
    const id = store.takeRevealed();
    if (id !== undefined) {
      openId.current = id;
      isNamed.current = true;
      saved.update({ open: id });
      ask();
    }
  });
  useEffect(() => {
    if (pair?.pair !== undefined && pair.problem === undefined) {
      openId.current = pair.pair.customId;
      saved.update({ open: pair.pair.customId });
    }
  }, [pair?.pair]);
}
