import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { rowAt } from '../../shared/session/rows/rowAt';
import type { Row, RowKind } from '../../shared/session/rows/rows';
import type { FromWebview, RowFilter } from '../../shared/session/sessionProtocol';
import type { PanelStore } from './panelStore';
import { isErrorRow, isWaitingRow } from './rows/rowSigns';
import type { SavedState } from './savedState';
import { isBookkeeping, mayFold } from './timeline/bookkeeping';
import type { Timelines } from './timeline/timelines';
import type { Timeline } from './timeline/timelineView';
import { useKeptPlace } from './timeline/useKeptPlace';
import { shownKinds } from './toolbar/kindGroups';
import type { TimelineTools } from './toolbar/toolbar';
import { useTimelineSearch } from './toolbar/useTimelineSearch';
import { TranscriptRows } from './transcriptRows';

interface TimelineOptions {
  readonly store: PanelStore;
  readonly timelines: Timelines;
  readonly saved: SavedState;
  readonly post: (message: FromWebview) => void;
  readonly thread: string;
  /** Moment of a replay; undefined shows all. */
  readonly seq: number | undefined;
  /** Whether rows of bookkeeping are folded. */
  readonly isFolding: boolean;
}

export interface TimelineControl {
  readonly list: RefObject<Timeline | null>;
  readonly toolbar: TimelineTools;
  /** Marks what is searched for. */
  readonly pattern: RegExp | undefined;
  readonly toShown: (row: Row) => Row;
  /** What is shown, where that is not everything: for an export. */
  readonly shownFilter: { readonly filter?: RowFilter };
  /** Rows of the session's own log, in a replay as they stood at its moment. */
  readonly pictureRows: readonly Row[];
  readonly selectedKey: string | undefined;
  readonly onSelect: (key: string) => void;
  readonly onMoved: () => void;
  /** Scrolls to a row as soon as it is there, and gives it the keyboard unless that is wanted elsewhere. */
  readonly revealSoon: (key: string, options?: { readonly leavesKeyboard?: boolean | undefined }) => void;
  readonly focusSearch: () => void;
}

const noRows: readonly Row[] = [];
const noCounts: ReadonlyMap<RowKind, number> = new Map();

/** What stands around the timeline of the shown thread: filter, search, jumps, and the place that is kept over a reload. */
export function useTimeline({ store, timelines, saved, post, thread, seq, isFolding }: TimelineOptions): TimelineControl {
  const list = useRef<Timeline>(null);
  const [, draw] = useState(0);
  const redraw = (): void => draw(count => count + 1);
  const state = store.thread(thread);
  const { hiddenGroups, showGroups, passes, folds } = useHiddenGroups(saved, seq, isFolding, state?.rows.counts ?? noCounts);
  const [selectedKey, select] = useState<string>();
  const toReveal = useRef<{ readonly key: string; readonly focus: boolean }>(undefined);

  const shown = timelines.of(thread);
  // Before anything is drawn by it.
  useMemo(() => shown?.model.filter(passes, folds), [shown, passes, folds]);
  const search = useTimelineSearch({ list, saved, post, thread, state, shown, passes, redraw });
  const keepPlace = useKeptPlace({ list, saved, thread, shown });
  useEffect(() => {
    if (toReveal.current !== undefined && state !== undefined && state.rows.indexOf(toReveal.current.key) >= 0) {
      if (list.current?.reveal(toReveal.current.key, { focus: toReveal.current.focus }) === true) {
        toReveal.current = undefined;
      } else if (hiddenGroups.size > 0) {
        showGroups(new Set());
      }
    }
  });
  const revealSoon = (
    key: string | undefined,
    { leavesKeyboard = false }: { readonly leavesKeyboard?: boolean | undefined } = {},
  ): void => {
    toReveal.current = key === undefined ? undefined : { key, focus: !leavesKeyboard };
    redraw();
  };
  const goToNext = (what: 'nextError' | 'nextWaiting'): void => {
    if (list.current?.goToNext(what) === false && hiddenGroups.size > 0) {
      revealSoon(state?.rows.all.find(what === 'nextError' ? isErrorRow : isWaitingRow)?.key);
    }
  };
  const past = usePast(state?.rows, seq);
  const counted = past ?? state?.rows;
  const isFollowing = shown?.model.isFollowing ?? true;

  return {
    list,
    toolbar: {
      counts: counted?.counts ?? noCounts,
      hiddenGroups,
      onHiddenGroups: showGroups,
      isRaw: shown?.looks.allRaw ?? false,
      onRaw: isRaw => {
        shown?.looks.setAllRaw(isRaw);
        redraw();
      },
      errors: counted?.errors ?? 0,
      waiting: counted?.waiting ?? 0,
      onNext: goToNext,
      isFollowing,
      onFollow: () => list.current?.follow(),
      ...search.tools,
      onLeaveSearch: () => list.current?.focus(),
    },
    pattern: search.pattern,
    toShown: row => (seq === undefined ? row : (rowAt(row, seq) ?? row)),
    shownFilter: toShownFilter(hiddenGroups, search.tools.query),
    pictureRows: (thread === '' ? counted : store.thread('')?.rows)?.all ?? noRows,
    selectedKey,
    onSelect: select,
    onMoved: () => {
      keepPlace();
      if (shown?.model.isFollowing !== isFollowing) {
        redraw();
      }
    },
    revealSoon,
    focusSearch: search.focusSearch,
  };
}

/** The rows as they stood after an event; undefined where that is not asked for. */
function usePast(rows: TranscriptRows | undefined, seq: number | undefined): TranscriptRows | undefined {
  return useMemo(() => {
    if (rows === undefined || seq === undefined) {
      return undefined;
    }
    const past = new TranscriptRows();
    past.apply({ at: 0, remove: 0, rows: rows.all.flatMap(row => rowAt(row, seq) ?? []) });
    return past;
  }, [rows, rows?.length, seq]);
}

/** Which groups of kinds are hidden, kept over a reload, the rows that pass: of the others, and up to the moment of a replay; and those that are folded. */
function useHiddenGroups(saved: SavedState, seq: number | undefined, isFolding: boolean, counts: ReadonlyMap<RowKind, number>) {
  const [hiddenGroups, setHiddenGroups] = useState<ReadonlySet<string>>(
    () => new Set((saved.get('hidden') ?? '').split(' ').filter(id => id !== '')),
  );
  const passes = useMemo(() => {
    const kinds = shownKinds(hiddenGroups);
    return kinds === undefined && seq === undefined
      ? undefined
      : (row: Row) => kinds?.has(row.kind) !== false && (seq === undefined || row.seq <= seq);
  }, [hiddenGroups, seq]);
  const folds = useFolds(isFolding && mayFold(shownKinds(hiddenGroups), counts), seq);
  const showGroups = (hidden: ReadonlySet<string>): void => {
    saved.set('hidden', hidden.size === 0 ? undefined : [...hidden].join(' '));
    setHiddenGroups(hidden);
  };
  return { hiddenGroups, showGroups, passes, folds };
}

/** The rows that are folded, as they stood at the moment of a replay; undefined folds none. */
function useFolds(isFolding: boolean, seq: number | undefined): ((row: Row) => boolean) | undefined {
  return useMemo(
    () => (isFolding ? row => isBookkeeping(seq === undefined ? row : (rowAt(row, seq) ?? row)) : undefined),
    [isFolding, seq],
  );
}

function toShownFilter(hiddenGroups: ReadonlySet<string>, query: string): { readonly filter?: RowFilter } {
  const kinds = shownKinds(hiddenGroups);
  return kinds === undefined && query === '' ? {} : { filter: { ...(kinds && { kinds: [...kinds] }), ...(query !== '' && { query }) } };
}
