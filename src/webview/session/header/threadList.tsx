import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { SessionView } from '../../../shared/session/sessionView';
import { toLabel } from '../../../shared/text';
import { toMoney } from '../controls/numbers';
import { Panel } from '../panelContext';
import { threadNames, toThreadWord } from '../threads/threadWords';
import { Fact } from './fact';

/** The threads with their states and costs; nothing while there is only the session itself. */
export function ThreadList({ threads }: Pick<SessionView, 'threads'>): VNode | null {
  const { t, locale } = useContext(Panel);
  if (threads.length < 2) {
    return null;
  }
  const names = threadNames(threads);
  return (
    <Fact name={t('Threads')}>
      <details class="header-resources">
        <summary>{threads.length}</summary>
        <ul>
          {threads.map(thread => (
            <li key={thread.id}>
              {toLabel(names.get(thread.id) ?? thread.name, 80)} <span class="header-quiet">{toThreadWord(thread, t)}</span>
              {thread.waiting > 0 ? ` · ${t('{0} waiting for you', thread.waiting)}` : ''}
              {thread.cost === undefined ? '' : ` · ${toMoney(thread.cost, locale)}`}
            </li>
          ))}
        </ul>
      </details>
    </Fact>
  );
}
