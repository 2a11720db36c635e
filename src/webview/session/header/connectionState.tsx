import { ownValue } from '../../../shared/isRecord';
import type { VNode } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import type { ConnectionView } from '../../../shared/session/sessionProtocol';
import type { Translate } from '../../../shared/session/translateText';
import { toLabel } from '../../../shared/text';
import { Button } from '../../controls/button';
import { Icon, type IconName } from '../../controls/icon';
import { toCount } from '../../controls/numbers';
import { useTicking } from './sessionClock';
import { Panel, type PanelContext } from '../../controls/panelContext';

const icons: Readonly<Record<ConnectionView['name'], IconName>> = {
  connecting: 'reconnecting',
  live: 'live',
  offlineFile: 'file',
  catchingUp: 'catchingUp',
  reconnecting: 'reconnecting',
  polling: 'reconnecting',
  ended: 'ended',
};

/** State of the panel's connection. A lost connection can be retried immediately; the reason is in the tooltip and the details. */
export function ConnectionState({ connection }: { connection: ConnectionView }): VNode {
  const panel = useContext(Panel);
  const { post, t } = panel;
  const seconds = useCountdown(connection);
  useAnnouncedChange(connection, panel);
  const words = toWords(connection, seconds, panel);
  const problem = describeProblem(connection, t);
  return (
    <span class={`header-connection flexLine faint header-connection-${connection.name}`}>
      <Icon
        name={icons[connection.name]}
        spin={connection.name === 'connecting' || connection.name === 'catchingUp'}
        tone={connection.name === 'live' ? 'good' : problem === undefined ? 'plain' : 'warning'}
      />
      <span class="header-connection-words cutEnd" title={problem ?? words}>
        {words}
      </span>
      {problem === undefined ? null : (
        <Button kind="link" hint={problem} onClick={() => post({ type: 'retryNow' })}>
          {t('Try Now')}
        </Button>
      )}
    </span>
  );
}

/** Returns why the connection was lost; `undefined` if it wasn't. */
export function describeProblem(connection: ConnectionView, t: Translate): string | undefined {
  if (connection.name === 'reconnecting') {
    return t('The connection was lost: {0}', toLabel(connection.problem, 1000));
  }
  return connection.name === 'ended' ? toLabel(connection.reason, 1000) : undefined;
}

function toWords(connection: ConnectionView, seconds: number, { t, locale }: PanelContext): string {
  switch (connection.name) {
    case 'connecting':
      return t('Connecting…');
    case 'live':
      return t('Live');
    case 'offlineFile':
      return t('Exported file');
    case 'catchingUp':
      if (connection.isPartial === true) {
        return t('Loading earlier events, {0} so far', toCount(connection.events, locale));
      }
      return t('Catching up ({0})', toCount(connection.events, locale));
    case 'reconnecting':
      return seconds > 0 ? t('Reconnecting in {0} s', seconds) : t('Reconnecting…');
    case 'polling':
      return t('Updated every {0} s', connection.everySeconds);
    case 'ended':
      return t('Ended');
  }
}

/** Returns the whole seconds until the next attempt, counted from the arrival of the message. */
function useCountdown(connection: ConnectionView): number {
  const received = useRef({ connection, at: performance.now() });
  if (received.current.connection !== connection) {
    received.current = { connection, at: performance.now() };
  }
  const now = useTicking(connection.name === 'reconnecting');
  const since = Math.max(0, now - received.current.at);
  return connection.name === 'reconnecting' ? Math.max(0, Math.ceil((connection.retryInMs - since) / 1000)) : 0;
}

/** Announces that the connection was lost, is back or has ended. Doesn't announce each attempt or the first connection. */
function useAnnouncedChange(connection: ConnectionView, panel: PanelContext): void {
  const announced = useRef<string>(undefined);
  useEffect(() => {
    const { name } = connection;
    if (name === 'connecting' || name === 'catchingUp') {
      return;
    }
    const { current } = announced;
    announced.current = name;
    if (current !== undefined && current !== name) {
      const words = { reconnecting: panel.t('Connection lost'), live: panel.t('Connected again') };
      panel.announce(ownValue(words, name) ?? toWords(connection, 0, panel));
    }
  }, [connection, panel]);
}
