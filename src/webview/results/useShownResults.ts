import { createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FromWebview, ResultOrder, ResultsState, RowsAct } from '../../shared/results/resultsProtocol';
import type { SavedState } from '../controls/savedState';
import { useOpenRow } from '../pairs/useOpenRow';
import type { PositionRanges } from './positionRanges';
import type { ResultsStore } from './resultsStore';

interface ShownOptions {
  readonly store: ResultsStore;
  readonly saved: SavedState<ResultsState>;
  /** Number of times that results were sent to the page. */
  readonly data: number;
  readonly isReady: boolean;
  readonly announceCount: (count: number, all: number) => void;
}

/** Manages query, order, selection and open pair of the results. Query, order and open pair survive a reload and new rows. */
export function useShownResults(options: ShownOptions) {
  const { store, saved } = options;
  const [query, setQuery] = useState(saved.state.query ?? '');
  const [order, setOrder] = useState<ResultOrder | undefined>(saved.state.order);
  const [selected, setSelected] = useState<PositionRanges>([]);
  const { setActive, ...row } = useOpenRow(store, saved);
  const openId = useRef(saved.state.open);
  /** Id of the pair that was open when the latest rows were requested. */
  const requestedId = useRef<string>(undefined);

  const ask = (nextQuery: string, nextOrder: ResultOrder | undefined): void => {
    requestedId.current = openId.current;
    store.arrange(nextQuery, nextOrder, openId.current);
  };
  const arrange = (nextQuery: string, nextOrder: ResultOrder | undefined): void => {
    setQuery(nextQuery);
    setOrder(nextOrder);
    ask(nextQuery, nextOrder);
  };
  const shown = {
    ...row,
    ...{ query, order, selected, select: setSelected },
    filter: (next: string): void => arrange(next, order),
    sort: (next: ResultOrder | undefined): void => arrange(query, next),
    open(position: number, takesFocus: boolean): void {
      if (position < store.count) {
        // The id of a row may be cut. The complete id replaces it once the pair has arrived.
        const opened = store.pages.at(position);
        openId.current = opened?.key ?? opened?.id ?? openId.current;
        row.open(position, takesFocus);
      }
    },
    close(): void {
      openId.current = undefined;
      saved.update({ open: undefined } as unknown as Partial<ResultsState>);
      row.close();
    },
  };
  useArrivals(options, shown, { openId, requestedId, ask: () => ask(query, order), setActive });
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
  readonly requestedId: { current: string | undefined };
  readonly ask: () => void;
  readonly setActive: (position: number | ((before: number) => number)) => void;
}

function useArrivals(
  { store, saved, data, isReady, announceCount }: ShownOptions,
  shown: Pick<ResultsContext['shown'], 'query' | 'select' | 'filter'>,
  { openId, requestedId, ask, setActive }: OpenPair,
): void {
  /** True if the host chose the open pair. A filter that hides the pair is then cleared. */
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
    const { count, place: position, all } = arranged;
    const isHidden = isNamed.current && position === undefined && store.shownBy.query !== '';
    if (openId.current !== requestedId.current) {
      // A pair was opened while these rows were loading.
      ask();
      return;
    }
    isNamed.current = false;
    if (isHidden) {
      shown.filter('');
      return;
    }
    if (position !== undefined && openId.current !== undefined) {
      setActive(position);
      store.reopenPair(position);
    } else {
      // The open pair isn't among the rows. The id of the pair is remembered, so that the pair opens again once the query matches it.
      store.pair = undefined;
      setActive(current => Math.max(0, Math.min(current, count - 1)));
    }
    announceCount(count, all);
  }, [arranged]);
  useEffect(() => {
    for (const { query } of store.takeNews('filter')) {
      if (query !== shown.query) {
        shown.filter(query);
      }
    }
    for (const { customId: id } of store.takeNews('reveal')) {
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

interface ResultsContext {
  readonly store: ResultsStore;
  readonly snapshot: NonNullable<ResultsStore['snapshot']>;
  readonly saved: SavedState<ResultsState>;
  readonly post: (message: FromWebview) => void;
  readonly shown: ReturnType<typeof useShownResults>;
}

export const Results = createContext<ResultsContext | undefined>(undefined);

/** Returns the context of the results panel. Throws outside of it. */
export function useResults() {
  const context = useContext(Results);
  if (context === undefined) {
    throw new Error('Only available inside the results panel');
  }
  const { store, snapshot, post, shown } = context;
  const { active, selected } = shown;
  /** Acts on the selected rows, or on the active row if no rows are selected. */
  const actOnRows = (act: RowsAct): void =>
    post({ type: 'actOnRows', revision: store.revision, ranges: selected.length > 0 ? selected : [[active, active + 1]], act });
  return { ...context, subject: snapshot.head.subject ?? 'results', actOnRows };
}
