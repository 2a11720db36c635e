import type { VNode } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { toNumber } from '../../../shared/formats';
import { ownValue } from '../../../shared/isRecord';
import { describeProgress, describeRest, stateWords } from '../../../shared/session/facts/sessionState';
import type { ConnectionView } from '../../../shared/session/sessionProtocol';
import type { SessionView } from '../../../shared/session/sessionView';
import type { Translate } from '../../../shared/session/translateText';
import { join, toLabel } from '../../../shared/text';
import { Button } from '../../controls/button';
import { Icon, type IconName } from '../../controls/icon';
import { toMoment, toMoney, toWholeDuration } from '../../controls/numbers';
import { Panel, type PanelContext, useRememberedFlag } from '../../controls/panelContext';
import { CreatedFiles, Fact, Outcomes, Resources, Threads } from './attachedFacts';
import { readClock, type SessionClock, secondsAt, useTicking } from './sessionClock';

interface HeaderProps {
  readonly view: SessionView;
  readonly connection: ConnectionView;
  readonly source: string;
  readonly canWrite: boolean;
  readonly onMessage: () => void;
}

/** One line above the timeline: state, title, agent, cost, elapsed time and connection. All other facts are folded. */
export function Header(props: HeaderProps): VNode {
  const { view, connection } = props;
  const { t, announce, post } = useContext(Panel);
  const [isOpen, setOpen] = useRememberedFlag('details', false);
  const { elapsed, active } = useSessionClock(view, connection);
  const title = view.title === '' && view.firstWords === '' ? t('Untitled Session') : toLabel(view.title || view.firstWords);
  const state = stateWords({ ...view, asksApproval: view.asks.some(({ kind }) => kind === 'confirmation') }, t);
  const cost = useCost(view);
  const agent = toLabel(view.agent?.name || view.agent?.id || '');
  useChange(state, () => announce(state));
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <section class="header" aria-label={t('Session')}>
      <div class="header-line flexLine">
        <span class={`header-state flexLine header-state-${view.state}`} title={describeRest(view.rest, t)}>
          <Icon
            name={iconOf(view)}
            spin={view.state === 'running' && connection.name !== 'offlineFile'}
            tone={view.state === 'waiting' ? 'warning' : failedStates.has(view.state) ? 'error' : 'plain'}
          />
          {state}
        </span>
        <h1 class="header-title cutEnd" title={title}>
          {title}
        </h1>
        {agent === '' ? null : (
          <span class="header-agent">
            <Button kind="link" hint={t('Open Agent {0}', agent)} onClick={() => post({ type: 'openAgent' })}>
              {agent}
            </Button>
          </span>
        )}
        {cost === undefined ? null : (
          <span class="faint header-number" title={t('Cost')}>
            {cost}
          </span>
        )}
        {elapsed === undefined ? null : (
          <span class="faint header-number" title={t('Elapsed')}>
            {toWholeDuration(elapsed, t)}
          </span>
        )}
        <ConnectionState connection={connection} />
        <Button
          kind="icon"
          icon={isOpen ? 'chevronDown' : 'chevronRight'}
          label={isOpen ? t('Hide Session Details') : t('Show Session Details')}
          isExpanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      <Problem {...props} />
      {isOpen ? <Details {...props} active={active} /> : null}
    </section>
  );
}

function Problem({ view: { problem }, canWrite, onMessage }: HeaderProps): VNode | null {
  const { t, locale, post, announce } = useContext(Panel);
  const words = problem === undefined ? '' : describeProgress(problem, t, locale);
  useChange(problem?.episode ?? '', () => words !== '' && announce(words));
  return words === '' ? null : (
    <div class="header-problem flexLine">
      <Icon name="warning" tone="warning" />
      <span class="capitalized cutEnd" title={words}>
        {words}
      </span>
      {canWrite ? (
        <>
          <Button kind="link" onClick={onMessage}>
            {t('Message')}
          </Button>
          <Button kind="link" onClick={() => post({ type: 'interrupt' })}>
            {t('Interrupt')}
          </Button>
        </>
      ) : null}
    </div>
  );
}

function Details({ view, connection, source, active }: HeaderProps & { readonly active: number | undefined }): VNode {
  const { t, locale, post } = useContext(Panel);
  const { agent, environmentId, createdAt, tokens, budget } = view;
  const isFile = connection.name === 'offlineFile';
  const problem = describeProblem(connection, t);
  const buckets = [
    [t('Input'), tokens.input],
    [t('Output'), tokens.output],
    [t('Cache read'), tokens.cacheRead],
    [t('Cache write'), tokens.cacheWrite],
  ] as const;
  return (
    <dl class="header-facts">
      {agent === undefined ? null : (
        <Fact name={t('Agent')}>
          {join(
            ' · ',
            toLabel(agent.name || agent.id),
            agent.version === undefined ? '' : t('version {0}', agent.version),
            toLabel(agent.model),
          )}
        </Fact>
      )}
      {active === undefined ? null : (
        <Fact name={view.isPartial === true ? t('Active time (loaded part)') : t('Active')}>{toWholeDuration(active, t)}</Fact>
      )}
      <Fact
        name={view.isPartial === true ? t('Tokens (loaded part)') : view.areTokensSummed === true ? t('Tokens (from events)') : t('Tokens')}
      >
        {buckets.map(([name, count]) => `${name} ${count === undefined ? '–' : toNumber(count, locale)}`).join(' · ')}
      </Fact>
      {budget === undefined ? null : (
        <Fact name={t('Budget')}>
          {'json' in budget ? <code class="header-code">{toLabel(budget.json, 1000)}</code> : toMoney(budget, locale)}
          {isFile || 'json' in budget ? null : (
            <Button kind="icon" icon="update" label={t('Change Budget...')} onClick={() => post({ type: 'changeBudget' })} />
          )}
        </Fact>
      )}
      <Outcomes outcomes={view.outcomes} />
      <Resources view={view} isFile={isFile} />
      <CreatedFiles view={view} isFile={isFile} />
      <Threads threads={view.threads} />
      {environmentId === undefined ? null : (
        <Fact name={t('Environment')}>
          <Identifier id={environmentId} what={t('Copy Environment ID')} />
        </Fact>
      )}
      <Fact name={t('Session')}>
        <Identifier id={view.id} what={t('Copy Session ID')} />
      </Fact>
      {createdAt === undefined ? null : <Fact name={t('Created')}>{toMoment(createdAt, locale, Date.now())}</Fact>}
      <Fact name={isFile ? t('File') : t('Connection')}>
        {toLabel(source)}
        {problem === undefined ? null : <span class="problem"> {problem}</span>}
      </Fact>
    </dl>
  );
}

function Identifier({ id, what }: { id: string; what: string }): VNode {
  const { post } = useContext(Panel);
  return (
    <>
      <code class="header-code">{toLabel(id)}</code>
      <Button kind="icon" icon="copy" label={what} onClick={() => post({ type: 'copyText', text: id })} />
    </>
  );
}

/** Returns the session's cost, with its budget if it has one, and with `≥` if a token count is missing. */
function useCost({ cost, budget, tokens }: SessionView): string | undefined {
  const { t, locale } = useContext(Panel);
  const isPartial = [tokens.input, tokens.output, tokens.cacheRead, tokens.cacheWrite].includes(undefined);
  const spent = cost === undefined ? undefined : `${isPartial ? '≥ ' : ''}${toMoney(cost, locale)}`;
  return budget === undefined || 'json' in budget ? spent : t('{0} of {1}', spent ?? '–', toMoney(budget, locale));
}

function useSessionClock(view: SessionView, connection: ConnectionView): ReturnType<typeof secondsAt> {
  const clock = useRef<{ view: SessionView; isLive: boolean; value: SessionClock }>(undefined);
  const isLive = connection.name !== 'offlineFile' && connection.name !== 'ended';
  const now = useTicking(isLive && view.state === 'running');
  if (clock.current?.view !== view || clock.current.isLive !== isLive) {
    clock.current = { view, isLive, value: readClock(clock.current?.value, view, performance.now(), isLive) };
  }
  return secondsAt(clock.current.value, Math.max(now, clock.current.value.readAt));
}

function useChange(value: string, call: () => unknown): void {
  const last = useRef(value);
  useEffect(() => {
    if (last.current !== value) {
      last.current = value;
      call();
    }
  });
}

const failedStates: ReadonlySet<string> = new Set(['failed', 'terminated', 'deleted']);

function iconOf({ state, rest }: SessionView): IconName {
  switch (state) {
    case 'failed':
      return 'error';
    case 'other':
      return 'unknown';
    case 'idle':
      return rest === undefined || rest.kind === 'asked' ? 'waiting' : rest.kind === 'done' ? 'check' : 'warning';
    default:
      return state;
  }
}

const icons: Readonly<Record<ConnectionView['name'], IconName>> = {
  connecting: 'reconnecting',
  live: 'live',
  offlineFile: 'file',
  catchingUp: 'catchingUp',
  reconnecting: 'reconnecting',
  polling: 'reconnecting',
  ended: 'ended',
};

/** State of the panel's connection. A lost connection can be retried immediately. The reason is in the tooltip and the details. */
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

/** Returns the reason why the connection was lost, or `undefined` if it is not lost. */
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
        return t('Loading earlier events, {0} so far', toNumber(connection.events, locale));
      }
      return t('Catching up ({0})', toNumber(connection.events, locale));
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
