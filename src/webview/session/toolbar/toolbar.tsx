import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { rowFilters, type ShownRows } from '../../../shared/session/rows/rowKinds';
import { Button } from '../../controls/button';
import { Menu } from '../../controls/menu';
import { toCount } from '../../controls/numbers';
import { Panel } from '../../controls/panelContext';
import type { Jump } from '../timeline/timelineKeys';
import { SearchBox, type SearchBoxProps } from './searchBox';
import './toolbar.css';

/** State and actions of the timeline for the toolbar. */
export interface TimelineTools extends SearchBoxProps {
  readonly shownRows: ShownRows;
  readonly onShow: (shown: ShownRows) => void;
  readonly errors: number;
  readonly waiting: number;
  /** Number of calls about which the service decided itself, and of those that it denied. */
  readonly decided: number;
  readonly denied: number;
  readonly onNext: (jump: Jump) => void;
  readonly onFollow: () => void;
}

interface ToolbarProps extends TimelineTools {
  readonly onExport: () => void;
  readonly onKeys: () => void;
  readonly picturesShown: boolean;
  readonly onPictures: (shown: boolean) => void;
}

/** Toolbar above the timeline: row filter, search, charts, and a menu for the rest. */
export function Toolbar(props: ToolbarProps): VNode {
  const { shownRows, onShow, errors, waiting, decided, denied, onNext, onFollow, onExport, onKeys, picturesShown, onPictures } = props;
  const { t, locale } = useContext(Panel);
  const names: Readonly<Record<ShownRows, string>> = {
    conversation: t('Conversation'),
    everything: t('Everything'),
    errors: t('Errors only ({0})', toCount(errors, locale)),
    byService: t('Decided by the service ({0})', toCount(decided, locale)),
  };
  const filters = rowFilters.filter(shown => shown !== 'byService' || decided > 0 || shownRows === 'byService');
  return (
    <div class="toolbar" role="toolbar" aria-label={t('Timeline')}>
      <label class="show">
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
      <SearchBox {...props} />
      <Button look="icon" icon="usage" label={t('Charts')} isPressed={picturesShown} onClick={() => onPictures(!picturesShown)} />
      <Menu
        label={t('More')}
        items={[
          { label: t('Next Error'), disabled: errors === 0, onSelect: () => onNext('nextError') },
          { label: t('Next Approval'), disabled: waiting === 0, onSelect: () => onNext('nextWaiting') },
          ...(denied === 0 ? [] : [{ label: t('Next Denied by the Service'), onSelect: () => onNext('nextDenied') }]),
          { label: t('Jump to Latest'), onSelect: onFollow },
          { label: t('Export…'), onSelect: onExport },
          { label: t('Keyboard Shortcuts'), onSelect: onKeys },
        ]}
      />
    </div>
  );
}
