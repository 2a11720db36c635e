import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { type ThreadView, threadNames, toNeedWords, toThreadWord } from '../../../shared/session/threadViews';
import { join, toLabel } from '../../../shared/text';
import { Icon } from '../../controls/icon';
import { Panel } from '../../controls/panelContext';
import { Tabs } from '../../controls/tabs';
import { statusIcons } from '../rows/lineRows';

interface ThreadTabsProps {
  readonly threads: readonly ThreadView[];
  readonly shown: string;
  readonly onShow: (thread: string) => void;
}

/** Threads of the session as tabs. Hidden if the session has only its own thread. Arrow keys move between them. */
export function ThreadTabs({ threads, shown, onShow }: ThreadTabsProps): VNode | null {
  const { t, locale } = useContext(Panel);
  const others = threads.filter(({ isPrimary }) => !isPrimary);
  if (others.length === 0) {
    return null;
  }
  const names = threadNames(threads);
  const primary = threads.find(({ isPrimary }) => isPrimary);
  const tabs = [
    { status: '', waiting: 0, ...primary, id: '', name: primary?.name ?? t('Session'), archived: false },
    ...others.map(thread => ({ ...thread, name: names.get(thread.id) ?? thread.id })),
  ];
  return (
    <div class="threadTabs">
      <Tabs
        label={t('Threads')}
        shown={shown}
        onShow={onShow}
        panelId="timeline"
        tabs={tabs.map(({ id, name, status, waiting, archived }) => {
          const icon = archived ? 'archived' : (statusIcons[status] ?? (id === '' ? 'message' : 'unknown'));
          return {
            id,
            title: join(', ', toLabel(name), toLabel(toThreadWord({ status, archived }, t))),
            content: (
              <>
                <Icon name={icon} spin={icon === 'running'} />
                <span>{toLabel(name, 40)}</span>
                {waiting > 0 ? (
                  <span class="badge" title={toNeedWords(waiting, t, locale)}>
                    {waiting}
                  </span>
                ) : null}
              </>
            ),
          };
        })}
      />
    </div>
  );
}
