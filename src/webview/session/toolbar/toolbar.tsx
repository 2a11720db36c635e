import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { RowKind } from '../../../shared/session/rows/rows';
import { Button } from '../controls/button';
import { Icon } from '../controls/icon';
import { toCount } from '../controls/numbers';
import { Panel } from '../panelContext';
import { kindGroups } from './kindGroups';
import { SearchBox, type SearchBoxProps } from './searchBox';
import './toolbar.css';

/** What the toolbar shows and does of the timeline. */
export interface TimelineTools extends SearchBoxProps {
  readonly counts: ReadonlyMap<RowKind, number>;
  readonly hiddenGroups: ReadonlySet<string>;
  readonly onHiddenGroups: (hidden: ReadonlySet<string>) => void;
  readonly isRaw: boolean;
  readonly onRaw: (isRaw: boolean) => void;
  readonly errors: number;
  readonly waiting: number;
  readonly onNext: (what: 'nextError' | 'nextWaiting') => void;
  readonly isFollowing: boolean;
  readonly onFollow: () => void;
}

interface ToolbarProps extends TimelineTools {
  /** Whether rows of bookkeeping are folded. */
  readonly isFolding: boolean;
  readonly onFolding: (isFolding: boolean) => void;
  readonly onExport: () => void;
  readonly onKeys: () => void;
  readonly picturesShown: boolean;
  readonly onPictures: (shown: boolean) => void;
}

/** Above the timeline: which kinds of rows are shown, search, and jumps. */
export function Toolbar(props: ToolbarProps): VNode {
  const { t, locale } = useContext(Panel);
  const { counts, hiddenGroups, onHiddenGroups } = props;
  const groups = kindGroups
    .map(group => ({ ...group, count: group.kinds.reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0) }))
    .filter(({ id, count }) => count > 0 || hiddenGroups.has(id));
  const toggle = (id: string): void => {
    const hidden = new Set(hiddenGroups);
    if (!hidden.delete(id)) {
      hidden.add(id);
    }
    onHiddenGroups(hidden);
  };
  return (
    <div class="toolbar" role="toolbar" aria-label={t('Timeline')}>
      <fieldset class="kinds">
        <legend class="only-read-aloud">{t('Shown kinds')}</legend>
        {groups.map(({ id, name, icon, count }) => (
          <button
            key={id}
            type="button"
            class="kind"
            aria-pressed={!hiddenGroups.has(id)}
            title={hiddenGroups.has(id) ? t('Show {0}', t(name)) : t('Hide {0}', t(name))}
            onClick={() => toggle(id)}
          >
            <Icon name={icon} />
            <span class="kindName">{t(name)}</span> <span class="kindCount">{toCount(count, locale)}</span>
          </button>
        ))}
        {hiddenGroups.size > 0 ? (
          <Button look="link" onClick={() => onHiddenGroups(new Set())}>
            {t('Show All')}
          </Button>
        ) : null}
      </fieldset>
      <SearchBox {...props} />
      <div class="tools">
        <Jump
          icon="error"
          count={props.errors}
          label={t('Next Problem ({0})', toCount(props.errors, locale))}
          onClick={() => props.onNext('nextError')}
        />
        <Jump
          icon="waiting"
          count={props.waiting}
          label={t('Next That Waits for You ({0})', toCount(props.waiting, locale))}
          onClick={() => props.onNext('nextWaiting')}
        />
        <Button look="icon" icon="end" label={t('Follow the End')} isPressed={props.isFollowing} onClick={props.onFollow} />
        <Button
          look="icon"
          icon="fold"
          label={t('Fold Status Rows')}
          isPressed={props.isFolding}
          onClick={() => props.onFolding(!props.isFolding)}
        />
        <Button look="icon" icon="braces" label={t('Show All Raw')} isPressed={props.isRaw} onClick={() => props.onRaw(!props.isRaw)} />
        <Button
          look="icon"
          icon="usage"
          label={t('Show Pictures of the Session')}
          isPressed={props.picturesShown}
          onClick={() => props.onPictures(!props.picturesShown)}
        />
        <Button look="icon" icon="export" label={t('Export…')} onClick={props.onExport} />
        <Button look="icon" icon="keyboard" label={t('Keys')} onClick={props.onKeys} />
      </div>
    </div>
  );
}

function Jump({ icon, count, label, onClick }: { icon: 'error' | 'waiting'; count: number; label: string; onClick: () => void }): VNode {
  return <Button look="icon" icon={icon} label={label} disabled={count === 0} onClick={onClick} />;
}
