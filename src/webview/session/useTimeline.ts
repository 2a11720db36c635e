import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { jsonOf } from '../../shared/jsonOf';
import { numberOf, objectOf } from '../../shared/session/eventFields';
import { isShown, rowFilters, type ShownRows } from '../../shared/session/rows/rowKinds';
import type { Row } from '../../shared/session/rows/rows';
import type { FromWebview } from '../../shared/session/sessionProtocol';
import { useRemembered } from '../controls/panelContext';
import type { SavedState } from '../controls/savedState';
import type { PanelStore } from './panelStore';
import { type Jump, jumps } from './timeline/timelineKeys';
import type { TimelineModel } from './timeline/timelineModel';
import type { Timeline } from './timeline/timelineView';
import { useTimelineSearch } from './toolbar/useTimelineSearch';

interface TimelineOptions {
  readonly store: PanelStore;
  readonly saved: SavedState;
  readonly post: (message: FromWebview) => void;
  readonly thread: string;
}

export type TimelineControl = ReturnType<typeof useTimeline>;

const noRows: readonly Row[] = [];

/** Manages the state around the timeline of the displayed thread: filter, search, jumps, and the position saved over a reload. */
export function useTimeline({ store, saved, post, thread }: TimelineOptions) {
  const list = useRef<Timeline>(null);
  const [, draw] = useState(0);
  const redraw = (): void => draw(count => count + 1);
  const state = store.thread(thread);
  const { shownRows, show, passes } = useShownRows();
  const [selectedKey, select] = useState<string>();
  const toReveal = useRef<{ readonly key: string; readonly takesFocus: boolean }>(undefined);

  // Runs during render, before the filtered rows are read.
  useMemo(() => state?.model.filter(passes), [state?.model, passes]);
  const search = useTimelineSearch({ list, post, thread, state, passes });
  const savePosition = useSavedPosition({ list, saved, thread, model: state?.model });
  useEffect(() => {
    if (toReveal.current !== undefined && state !== undefined && state.rows.indexOf(toReveal.current.key) >= 0) {
      if (list.current?.reveal(toReveal.current.key, toReveal.current.takesFocus) === true) {
        toReveal.current = undefined;
      } else if (shownRows !== 'everything') {
        show('everything');
      }
    }
  });
  const revealSoon = (key: string | undefined, takesFocus = true): void => {
    toReveal.current = key === undefined ? undefined : { key, takesFocus };
    redraw();
  };
  const goToNext = (jump: Jump): void => {
    if (list.current?.goToNext(jump) === false && (shownRows === 'errors' || shownRows === 'byService')) {
      show('conversation');
      revealSoon(state?.rows.all.find(jumps[jump])?.key);
    }
  };
  const isFollowing = state?.model.isFollowing ?? true;

  return {
    list,
    toolbar: {
      shownRows,
      onShow: show,
      errors: state?.rows.errors ?? 0,
      waiting: state?.rows.waiting ?? 0,
      decided: state?.rows.decided ?? 0,
      denied: state?.rows.denied ?? 0,
      onNext: goToNext,
      onFollow: () => list.current?.follow(),
      ...search.tools,
      onLeaveSearch: () => list.current?.focus(),
    },
    pattern: search.pattern,
    shownFilter: shownRows === 'everything' && search.tools.query === '' ? {} : { filter: { shown: shownRows, query: search.tools.query } },
    pictureRows: store.thread('')?.rows.all ?? noRows,
    selectedKey,
    onSelect: select,
    onMoved: () => {
      savePosition();
      if (state?.model.isFollowing !== isFollowing) {
        redraw();
      }
    },
    revealSoon,
    focusSearch: search.focusSearch,
  };
}

function useShownRows() {
  const [remembered, show] = useRemembered('show', 'conversation');
  const shownRows = rowFilters.find(one => one === remembered) ?? 'conversation';
  const passes = useMemo(() => (shownRows === 'everything' ? undefined : (row: Row) => isShown(row, shownRows)), [shownRows]);
  return { shownRows, show: (shown: ShownRows): void => show(shown), passes };
}

/** Time without scrolling after which the position is saved, in milliseconds. */
const rest = 250;

interface PositionOptions {
  readonly list: RefObject<Timeline | null>;
  readonly saved: SavedState;
  readonly thread: string;
  readonly model: TimelineModel | undefined;
}

/**
 * Restores the scroll position of a thread after a reload, once its rows are loaded. Returns a function that saves the current position.
 */
function useSavedPosition({ list, saved, thread, model }: PositionOptions): () => void {
  const toRestore = useRef<string | undefined>(undefined);
  const restored = useRef(new WeakSet<TimelineModel>());
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  useEffect(() => {
    toRestore.current = undefined;
    if (model !== undefined && !restored.current.has(model)) {
      restored.current.add(model);
      toRestore.current = saved.get(`place ${thread}`);
    }
  }, [model]);
  useEffect(() => {
    if (toRestore.current !== undefined && model?.restore(readAnchor(toRestore.current)) === true) {
      toRestore.current = undefined;
      list.current?.forceUpdate();
    }
  });
  return () => {
    toRestore.current = undefined;
    clearTimeout(timers.current.get(thread));
    const timer = setTimeout(() => {
      const anchor = model?.savedAnchor;
      saved.set(`place ${thread}`, anchor === undefined ? undefined : JSON.stringify(anchor));
    }, rest);
    timers.current.set(thread, timer);
  };
}

function readAnchor(json: string): { readonly key: string; readonly offset: number } {
  const { key, offset } = objectOf(jsonOf(json)) ?? {};
  return { key: String(key ?? ''), offset: numberOf(offset) ?? 0 };
}
