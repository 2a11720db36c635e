import type { VNode } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import { toNumber } from '../../../shared/formats';
import { rowFilters, type ShownRows } from '../../../shared/session/rows/rowKinds';
import { Button } from '../../controls/button';
import { useFocusToken } from '../../controls/focus';
import { Icon } from '../../controls/icon';
import { Menu } from '../../controls/menu';
import { Panel } from '../../controls/panelContext';
import type { TimelineControl } from '../useTimeline';

interface ToolbarProps {
  readonly tools: TimelineControl['toolbar'];
  readonly picturesShown: boolean;
  readonly onPictures: (shown: boolean) => void;
  readonly onExport: () => void;
  readonly onKeys: () => void;
}

/** Toolbar above the timeline: row filter, search, charts, and a menu for the rest. */
export function Toolbar({ tools, picturesShown, onPictures, onExport, onKeys }: ToolbarProps): VNode {
  const { shownRows, onShow, errors, waiting, decided, denied, onNext, onFollow } = tools;
  const { t, locale } = useContext(Panel);
  const names: Readonly<Record<ShownRows, string>> = {
    conversation: t('Conversation'),
    everything: t('Everything'),
    errors: t('Errors only ({0})', toNumber(errors, locale)),
    byService: t('Decided by the service ({0})', toNumber(decided, locale)),
  };
  const filters = rowFilters.filter(shown => shown !== 'byService' || decided > 0 || shownRows === 'byService');
  return (
    <div class="toolbar flexLine" role="toolbar" aria-label={t('Timeline')}>
      <label class="show flexLine">
        <span>{t('Show')}</span>
        <select
          class="select"
          aria-label={t('Show')}
          value={shownRows}
          onChange={event => onShow(filters[event.currentTarget.selectedIndex] ?? 'conversation')}
        >
          {filters.map(shown => (
            <option key={shown} value={shown}>
              {names[shown]}
            </option>
          ))}
        </select>
      </label>
      <SearchBox tools={tools} />
      <Button kind="icon" icon="usage" label={t('Charts')} isPressed={picturesShown} onClick={() => onPictures(!picturesShown)} />
      <Menu
        label={t('More')}
        items={[
          { label: t('Next Error'), disabled: errors === 0, onSelect: () => onNext('nextError') },
          { label: t('Next Approval'), disabled: waiting === 0, onSelect: () => onNext('nextWaiting') },
          ...(denied === 0 ? [] : [{ label: t('Next Service Denial'), onSelect: () => onNext('nextDenied') }]),
          { label: t('Jump to Latest'), onSelect: onFollow },
          { label: t('Export...'), onSelect: onExport },
          { label: t('Keyboard Shortcuts'), onSelect: onKeys },
        ]}
      />
    </div>
  );
}

function SearchBox({ tools }: Pick<ToolbarProps, 'tools'>): VNode {
  const { query, onQuery, matches, matchNumber, onMatch, searchFocus, onLeaveSearch } = tools;
  const { t, locale } = useContext(Panel);
  const input = useRef<HTMLInputElement>(null);
  useFocusToken(input, searchFocus);
  const count = toNumber(matches, locale);
  const words =
    query === ''
      ? ''
      : matchNumber > 0
        ? t('{0} of {1}', toNumber(matchNumber, locale), count)
        : matches === 0
          ? t('No matches')
          : t('Matches: {0}', count);
  return (
    <search class="search flexLine">
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
      <output class="searchCount faint" aria-live="polite">
        {words}
      </output>
      {query === '' ? null : (
        <>
          <Button kind="icon" icon="up" label={t('Previous Match')} disabled={matches === 0} onClick={() => onMatch(-1)} />
          <Button kind="icon" icon="down" label={t('Next Match')} disabled={matches === 0} onClick={() => onMatch(1)} />
        </>
      )}
    </search>
  );
}
