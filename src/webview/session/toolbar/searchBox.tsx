import type { VNode } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import { Button } from '../../controls/button';
import { useFocusToken } from '../../controls/focus';
import { Icon } from '../../controls/icon';
import { toCount } from '../../controls/numbers';
import { Panel } from '../../controls/panelContext';

export interface SearchBoxProps {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly matches: number;
  /** Number of the current match (1-based); 0 for none. */
  readonly matchNumber: number;
  readonly onMatch: (direction: 1 | -1) => void;
  readonly searchFocus: number;
  readonly onLeaveSearch: () => void;
}

/** Search field with the number of matching rows and buttons to step through them. */
export function SearchBox(props: SearchBoxProps): VNode {
  const { query, onQuery, matches, matchNumber, onMatch, searchFocus, onLeaveSearch } = props;
  const { t, locale } = useContext(Panel);
  const input = useRef<HTMLInputElement>(null);
  useFocusToken(input, searchFocus);
  const count = toCount(matches, locale);
  const words =
    query === ''
      ? ''
      : matchNumber > 0
        ? t('{0} of {1}', toCount(matchNumber, locale), count)
        : matches === 0
          ? t('No matches')
          : t('Matches: {0}', count);
  return (
    <search class="search">
      <Icon name="search" />
      <input
        ref={input}
        class="field searchInput"
        type="text"
        value={query}
        placeholder={t('Search')}
        aria-label={t('Search the timeline')}
        spellcheck={false}
        autocomplete="off"
        onInput={event => onQuery(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Enter' && !event.isComposing) {
            event.preventDefault();
            onMatch(event.shiftKey ? -1 : 1);
          } else if (event.key === 'Escape') {
            event.preventDefault();
            onQuery('');
            onLeaveSearch();
          }
        }}
      />
      <output class="searchCount" aria-live="polite">
        {words}
      </output>
      {query === '' ? null : (
        <>
          <Button look="icon" icon="up" label={t('Previous Match')} disabled={matches === 0} onClick={() => onMatch(-1)} />
          <Button look="icon" icon="down" label={t('Next Match')} disabled={matches === 0} onClick={() => onMatch(1)} />
        </>
      )}
    </search>
  );
}
