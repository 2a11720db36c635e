import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Row } from '../../../shared/session/rows/rows';
import { toPattern } from '../../../shared/session/rows/rowText';
import type { FromWebview } from '../../../shared/session/sessionProtocol';
import type { ThreadState } from '../panelStore';
import type { SavedState } from '../../controls/savedState';
import type { RowSearch } from '../timeline/rowSearch';
import type { ThreadTimeline } from '../timeline/timelines';
import type { Timeline } from '../timeline/timelineView';
import type { TranscriptRows } from '../transcriptRows';
import type { TimelineTools } from './toolbar';

/** Time without typing after which the host is asked, in milliseconds. */
const rest = 250;
const noKeys: ReadonlySet<string> = new Set();

interface SearchOptions {
  readonly list: RefObject<Timeline | null>;
  readonly saved: SavedState;
  readonly post: (message: FromWebview) => void;
  readonly thread: string;
  readonly state: ThreadState | undefined;
  readonly shown: ThreadTimeline | undefined;
  readonly passes: ((row: Row) => boolean) | undefined;
  readonly redraw: () => void;
}

interface TimelineSearch {
  readonly pattern: RegExp | undefined;
  readonly tools: Pick<TimelineTools, 'query' | 'onQuery' | 'matches' | 'matchNumber' | 'isSearching' | 'onMatch' | 'searchFocus'>;
  readonly focusSearch: () => void;
}

/** Searches the displayed thread and steps from match to match. */
export function useTimelineSearch({ list, saved, post, thread, state, shown, passes, redraw }: SearchOptions): TimelineSearch {
  const [query, setQuery] = useState(saved.get('query') ?? '');
  const [searchFocus, setSearchFocus] = useState(0);
  const [matchNumber, setMatchNumber] = useState(0);
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
  const goToMatch = (direction: 1 | -1): void => {
    const found =
      shown === undefined || state === undefined
        ? undefined
        : findMatch(shown, state.rows, list.current?.activeKey, direction, matchNumber > 0);
    if (shown !== undefined && found !== undefined) {
      shown.open.setOpen(found.key, true);
      setMatchNumber(found.number);
      list.current?.reveal(found.key);
    }
  };
  return {
    pattern: useMemo(() => toPattern(query, 'giu'), [query]),
    tools: {
      query,
      onQuery: setQuery,
      matches: shown?.search.matches.size ?? 0,
      matchNumber,
      isSearching: shown?.search.isDone === false,
      onMatch: goToMatch,
      searchFocus,
    },
    focusSearch: () => setSearchFocus(count => count + 1),
  };
}

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

/** Returns the next matching row in a direction, wrapping around at the end, and its number among the matches. */
function findMatch(
  { model, search: { matches } }: ThreadTimeline,
  rows: TranscriptRows,
  fromKey: string | undefined,
  direction: 1 | -1,
  isOnMatch: boolean,
): { readonly key: string; readonly number: number } | undefined {
  const from = fromKey === undefined ? 0 : Math.max(0, model.indexOf(fromKey));
  for (let step = isOnMatch ? 1 : 0; step <= rows.length; step++) {
    const index = (((from + direction * step) % rows.length) + rows.length) % rows.length;
    const row = rows.at(index);
    if (row !== undefined && matches.has(row.key)) {
      let number = 1;
      for (let before = 0; before < index; before++) {
        number += matches.has(rows.at(before)?.key ?? '') ? 1 : 0;
      }
      return { key: row.key, number };
    }
  }
  return undefined;
}
