import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Row } from '../../../shared/session/rows/rows';
import { rowMatches, toPattern } from '../../../shared/session/rows/rowText';
import type { FromWebview } from '../../../shared/session/sessionProtocol';
import { useRemembered } from '../../controls/panelContext';
import type { ThreadState } from '../panelStore';
import { useSampled } from '../sampled';

/** Time without typing after which the host is asked, in milliseconds. */
const rest = 250;
const noKeys: ReadonlySet<string> = new Set();

interface SearchOptions {
  /** The list of rows. Typed by the two members in use, because tests of this file are compiled without JSX. */
  readonly list: { readonly current: { readonly activeKey: string | undefined; reveal(key: string): boolean } | null };
  readonly post: (message: FromWebview) => void;
  readonly thread: string;
  readonly state: ThreadState | undefined;
  readonly passes: RowTest | undefined;
}

type RowTest = (row: Row) => boolean;

/** Searches the displayed thread and steps from match to match. */
export function useTimelineSearch({ list, post, thread, state, passes }: SearchOptions) {
  const [query, setQuery] = useRemembered('query');
  const [searchFocus, setSearchFocus] = useState(0);
  // Number of the selected match, 1-based. 0 before a match was selected.
  const [matchNumber, setMatchNumber] = useState(0);
  const rows = state?.rows;
  const hits = state?.hits.query === query ? state.hits.keys : noKeys;
  const matches = useSampled(() => findMatches(rows?.all ?? [], query, passes, hits), [rows, query, passes, hits]);
  useEffect(() => {
    setMatchNumber(0);
    if (query !== '') {
      const timer = setTimeout(() => post({ type: 'search', thread, query }), rest);
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [query, thread, rows]);
  const goToMatch = (direction: 1 | -1): void => {
    const from = rows?.indexOf(list.current?.activeKey ?? '') ?? -1;
    const isBeyond = (key: string): boolean => {
      const distance = ((rows?.indexOf(key) ?? 0) - Math.max(0, from)) * direction;
      return distance > 0 || (distance === 0 && matchNumber === 0);
    };
    // Wraps around after the last match.
    const found = direction === 1 ? Math.max(0, matches.findIndex(isBeyond)) : matches.findLastIndex(isBeyond);
    const key = matches.at(found);
    if (key !== undefined) {
      state?.open.setOpen(key, true);
      setMatchNumber(matches.indexOf(key) + 1);
      list.current?.reveal(key);
    }
  };
  return {
    pattern: useMemo(() => toPattern(query, 'giu'), [query]),
    tools: { query, onQuery: setQuery, matches: matches.length, matchNumber, onMatch: goToMatch, searchFocus },
    focusSearch: () => setSearchFocus(count => count + 1),
  };
}

/** Returns the keys of the rows that contain a text, in order. `hits` are rows in whose cut parts the host found the text. */
export function findMatches(
  rows: readonly Row[],
  query: string,
  passes: RowTest | undefined,
  hits: ReadonlySet<string>,
): readonly string[] {
  const pattern = toPattern(query, 'iu');
  return pattern === undefined
    ? []
    : rows.filter(row => passes?.(row) !== false && (hits.has(row.key) || rowMatches(row, pattern))).map(({ key }) => key);
}
