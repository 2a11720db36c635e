import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { ThreadView } from '../../../shared/session/threadViews';
import { toLabel } from '../../../shared/text';
import { Icon, type IconName } from '../../controls/icon';
import { Panel } from '../../controls/panelContext';
import { threadNames, toThreadWord } from './threadWords';
import './threadTabs.css';

interface ThreadTabsProps {
  readonly threads: readonly ThreadView[];
  /** Id of the displayed thread; '' is the session's own log. */
  readonly shown: string;
  readonly onShow: (thread: string) => void;
}

const icons: Readonly<Record<string, IconName>> = {
  running: 'running',
  idle: 'idle',
  rescheduling: 'rescheduling',
  terminated: 'terminated',
};

/** Threads of the session as tabs. Hidden if there is only the session's own. Arrow keys move between them. */
export function ThreadTabs({ threads, shown, onShow }: ThreadTabsProps): VNode | null {
  const { t } = useContext(Panel);
  const others = threads.filter(({ isPrimary }) => !isPrimary);
  if (others.length === 0) {
    return null;
  }
  const names = threadNames(threads);
  const primary = threads.find(({ isPrimary }) => isPrimary);
  const tabs = [
    {
      id: '',
      name: primary?.name ?? t('Session'),
      icon: icons[primary?.status ?? ''] ?? ('message' as const),
      waiting: primary?.waiting ?? 0,
      words: toThreadWord({ status: primary?.status ?? '', archived: false }, t),
    },
    ...others.map(({ id, status, waiting, archived }) => ({
      id,
      name: names.get(id) ?? id,
      icon: archived ? ('archived' as const) : (icons[status] ?? ('unknown' as const)),
      waiting,
      words: toThreadWord({ status, archived }, t),
    })),
  ];
  const move = (event: KeyboardEvent): void => {
    const from = tabs.findIndex(({ id }) => id === shown);
    const to =
      event.key === 'ArrowRight'
        ? (from + 1) % tabs.length
        : event.key === 'ArrowLeft'
          ? (from - 1 + tabs.length) % tabs.length
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? tabs.length - 1
              : undefined;
    const tab = to === undefined ? undefined : tabs[to];
    if (tab !== undefined && event.currentTarget instanceof HTMLElement) {
      event.preventDefault();
      onShow(tab.id);
      event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[to ?? 0]?.focus();
    }
  };
  return (
    <div class="threadTabs" role="tablist" aria-label={t('Threads')} onKeyDown={move}>
      {tabs.map(({ id, name, icon, waiting, words }) => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          role="tab"
          class="threadTab"
          aria-selected={id === shown}
          aria-controls="timeline"
          tabIndex={id === shown ? 0 : -1}
          title={[toLabel(name), toLabel(words)].filter(text => text !== '').join(', ')}
          onClick={() => onShow(id)}
        >
          <Icon name={icon} spin={icon === 'running'} />
          <span class="threadName">{toLabel(name, 40)}</span>
          {waiting > 0 ? (
            <span class="badge" title={t('{0} waiting for you', waiting)}>
              {waiting}
            </span>
          ) : null}
        </button>
      ))}
    </div>
  );
}
