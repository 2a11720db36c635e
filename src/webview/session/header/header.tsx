import type { VNode } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { describeProgress } from '../../../shared/session/facts/describeProgress';
import { describeRest, stateWords } from '../../../shared/session/facts/sessionState';
import type { ConnectionView } from '../../../shared/session/sessionProtocol';
import type { SessionView } from '../../../shared/session/sessionView';
import { joinWords, toLabel } from '../../../shared/text';
import { Button } from '../../controls/button';
import { Icon, type IconName } from '../../controls/icon';
import { toCount, toMoment, toMoney, toWholeDuration } from '../../controls/numbers';
import { readClock, secondsAt, type SessionClock, useTicking } from './sessionClock';
import { Panel, useRememberedFlag } from '../../controls/panelContext';
import { CreatedFiles, Fact, Outcomes, Resources, Threads } from './attachedFacts';
import { ConnectionState, describeProblem } from './connectionState';

interface HeaderProps {
  readonly view: SessionView;
  readonly connection: ConnectionView;
  readonly source: string;
  readonly canWrite: boolean;
  readonly onMessage: () => void;
}

/** One line above the timeline: state, title, agent, cost, elapsed time and connection, with the rest folded. */
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
          {joinWords([
            toLabel(agent.name || agent.id),
            agent.version === undefined ? '' : t('version {0}', agent.version),
            toLabel(agent.model),
          ])}
        </Fact>
      )}
      {active === undefined ? null : (
        <Fact name={view.isPartial === true ? t('Active time (loaded part)') : t('Active')}>{toWholeDuration(active, t)}</Fact>
      )}
      <Fact
        name={view.isPartial === true ? t('Tokens (loaded part)') : view.areTokensSummed === true ? t('Tokens (from events)') : t('Tokens')}
      >
        {buckets.map(([name, count]) => `${name} ${count === undefined ? '–' : toCount(count, locale)}`).join(' · ')}
      </Fact>
      {budget === undefined ? null : (
        <Fact name={t('Budget')}>
          {'json' in budget ? <code class="header-code">{toLabel(budget.json, 1000)}</code> : toMoney(budget, locale)}
          {isFile || 'json' in budget ? null : (
            <Button kind="icon" icon="update" label={t('Change Budget…')} onClick={() => post({ type: 'changeBudget' })} />
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
