import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { rowAt } from '../../shared/session/rows/rowAt';
import type { Row, RowKind } from '../../shared/session/rows/rows';
import type { FromWebview, RowFilter } from '../../shared/session/sessionProtocol';
import type { PanelStore } from './panelStore';
import { isErrorRow, isWaitingRow } from './rows/rowWords';
import type { SavedState } from './savedState';
import type { ThreadTimeline, Timelines } from './timeline/timelines';
import type { Timeline } from './timeline/timelineView';
import { shownKinds } from './toolbar/kindGroups';
import { type RowSearch, toPattern } from './toolbar/rowSearch';
import type { TimelineTools } from './toolbar/toolbar';

interface TimelineOptions {
  readonly store: PanelStore;
  readonly timelines: Timelines;
  readonly saved: SavedState;
  readonly post: (message: FromWebview) => void;
  readonly thread: string;
  /** Moment of a replay; undefined shows all. */
  readonly seq: number | undefined;
}

export interface TimelineControl {
  readonly list: RefObject<Timeline | null>;
  readonly toolbar: TimelineTools;
  /** Marks what is searched for. */
  readonly pattern: RegExp | undefined;
  readonly toShown: (row: Row) => Row;
  readonly hiddenGroups: ReadonlySet<string>;
  readonly query: string;
  /** What is shown, where that is not everything: for an export. */
  readonly shownFilter: { readonly filter?: RowFilter };
  readonly selectedKey: string | undefined;
  readonly onSelect: (key: string) => void;
  readonly onMoved: () => void;
  /** Scrolls to a row as soon as it is there, and gives it the keyboard. */
  readonly revealSoon: (key: string) => void;
  readonly focusSearch: () => void;
}

const noCounts: ReadonlyMap<RowKind, number> = new Map();
const noKeys: ReadonlySet<string> = new Set();
/** After this many milliseconds without typing or scrolling the host is asked, or the place is remembered. */
const rest = 250;

/** What stands around the timeline of the shown thread: filter, search, jumps, and the place that is kept over a reload. */
export function useTimeline({ store, timelines, saved, post, thread, seq }: TimelineOptions): TimelineControl {
  const list = useRef<Timeline>(null);
  const [, draw] = useState(0);
  const redraw = (): void => draw(count => count + 1);
  const [query, setQuery] = useState(saved.get('query') ?? '');
  const [hiddenGroups, setHiddenGroups] = useState<ReadonlySet<string>>(
    () => new Set((saved.get('hidden') ?? '').split(' ').filter(id => id !== '')),
  );
  const [searchFocus, setSearchFocus] = useState(0);
  const [matchNumber, setMatchNumber] = useState(0);
  const [selectedKey, select] = useState<string>();
  const toReveal = useRef<string>(undefined);
  const toRestore = useRef<string | undefined>(undefined);

  const state = store.thread(thread);
  const shown = timelines.of(thread);
  const passes = useMemo(() => {
    const kinds = shownKinds(hiddenGroups);
    return kinds === undefined && seq === undefined
      ? undefined
      : (row: Row) => kinds?.has(row.kind) !== false && (seq === undefined || row.seq <= seq);
  }, [hiddenGroups, seq]);
  // Before anything is drawn by it.
  useMemo(() => shown?.model.filter(passes), [shown, passes]);

  const hits = state?.hits.query === query ? state.hits.keys : noKeys;
  useMemo(() => shown?.search.begin({ passes, query, hits }), [shown, passes, query, hits]);
  useSearchSteps(shown?.search, redraw);
  useEffect(() => {
    setMatchNumber(0);
    saved.set('query', query === '' ? undefined : query);
    if (query !== '') {
      const timer = setTimeout(() => post({ type: 'search', thread, query }), rest);
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [query, thread, state?.generation]);

  const restored = useRef(new WeakSet<ThreadTimeline>());
  useEffect(() => {
    toRestore.current = undefined;
    if (shown !== undefined && !restored.current.has(shown)) {
      restored.current.add(shown);
      toRestore.current = saved.get(`place ${thread}`);
    }
  }, [shown]);
  useEffect(() => {
    if (toRestore.current !== undefined && shown?.model.restore(readPlace(toRestore.current)) === true) {
      toRestore.current = undefined;
      list.current?.forceUpdate();
    }
    if (toReveal.current !== undefined && state !== undefined && state.rows.indexOf(toReveal.current) >= 0) {
      if (list.current?.reveal(toReveal.current, { focus: true }) === true) {
        toReveal.current = undefined;
      } else if (hiddenGroups.size > 0) {
        showGroups(new Set());
      }
    }
  });

  const showGroups = (hidden: ReadonlySet<string>): void => {
    saved.set('hidden', hidden.size === 0 ? undefined : [...hidden].join(' '));
    setHiddenGroups(hidden);
  };
  const focusSearch = (): void => setSearchFocus(count => count + 1);
  const goToMatch = (direction: 1 | -1): void => {
    const found = shown === undefined ? undefined : findMatch(shown, list.current?.activeRow?.key, direction, matchNumber > 0);
    if (shown !== undefined && found !== undefined) {
      shown.looks.setOpen(found.key, true);
      setMatchNumber(found.number);
      list.current?.reveal(found.key);
    }
  };
  const goToNext = (what: 'nextError' | 'nextWaiting'): void => {
    if (list.current?.goToNext(what) === false && hiddenGroups.size > 0) {
      const row = state?.rows.all.find(what === 'nextError' ? isErrorRow : isWaitingRow);
      toReveal.current = row?.key;
      redraw();
    }
  };
  const isFollowing = shown?.model.isFollowing ?? true;
  const saveTimers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  const savePlace = (): void => {
    toRestore.current = undefined;
    clearTimeout(saveTimers.current.get(thread));
    const timer = setTimeout(() => {
      const place = shown?.model.place;
      saved.set(`place ${thread}`, place === undefined ? undefined : JSON.stringify(place));
    }, rest);
    saveTimers.current.set(thread, timer);
    if (shown?.model.isFollowing !== isFollowing) {
      redraw();
    }
  };

  return {
    list,
    toolbar: {
      counts: state?.rows.counts ?? noCounts,
      hiddenGroups,
      onHiddenGroups: showGroups,
      isRaw: shown?.looks.allRaw ?? false,
      onRaw: isRaw => {
        shown?.looks.setAllRaw(isRaw);
        redraw();
      },
      errors: state?.rows.errors ?? 0,
      waiting: state?.rows.waiting ?? 0,
      onNext: goToNext,
      isFollowing,
      onFollow: () => list.current?.follow(),
      query,
      onQuery: setQuery,
      matches: shown?.search.matches.size ?? 0,
      matchNumber,
      isSearching: shown?.search.isDone === false,
      onMatch: goToMatch,
      searchFocus,
      onLeaveSearch: () => list.current?.focus(),
    },
    pattern: useMemo(() => toPattern(query, 'giu'), [query]),
    toShown: row => (seq === undefined ? row : (rowAt(row, seq) ?? row)),
    hiddenGroups,
    query,
    shownFilter: toShownFilter(hiddenGroups, query),
    selectedKey,
    onSelect: select,
    onMoved: savePlace,
    revealSoon: key => {
      toReveal.current = key;
      redraw();
    },
    focusSearch,
  };
}

/** Goes on with a search while there is something left to look at. */
function useSearchSteps(search: RowSearch | undefined, redraw: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (search !== undefined && !search.isDone && timer.current === undefined) {
      timer.current = setTimeout(() => {
        timer.current = undefined;
        search.step();
        redraw();
      });
    }
  });
}

/** The next matching row in this direction, around the end, and its number among the matches. */
function findMatch(
  { model, search: { matches } }: ThreadTimeline,
  fromKey: string | undefined,
  direction: 1 | -1,
  isOnMatch: boolean,
): { readonly key: string; readonly number: number } | undefined {
  const from = fromKey === undefined ? 0 : Math.max(0, model.positionOf(fromKey));
  for (let step = isOnMatch ? 1 : 0; step <= model.length; step++) {
    const position = (((from + direction * step) % model.length) + model.length) % model.length;
    const row = model.rowAt(position);
    if (row !== undefined && matches.has(row.key)) {
      let number = 1;
      for (let before = 0; before < position; before++) {
        number += matches.has(model.rowAt(before)?.key ?? '') ? 1 : 0;
      }
      return { key: row.key, number };
    }
  }
  return undefined;
}

function readPlace(json: string): { readonly key: string; readonly offset: number } {
  try {
    const { key, offset } = JSON.parse(json);
    return { key: String(key), offset: Number.isFinite(offset) ? offset : 0 };
  } catch {
    return { key: '', offset: 0 };
  }
}

function toShownFilter(hiddenGroups: ReadonlySet<string>, query: string): { readonly filter?: RowFilter } {
  const kinds = shownKinds(hiddenGroups);
  return kinds === undefined && query === '' ? {} : { filter: { ...(kinds && { kinds: [...kinds] }), ...(query !== '' && { query }) } };
}
