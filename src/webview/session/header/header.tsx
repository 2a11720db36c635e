import type { VNode } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { describeRest } from '../../../shared/session/facts/sessionState';
import type { Translate } from '../../../shared/session/translateText';
import './header.css';
import type { ConnectionView } from '../../../shared/session/sessionProtocol';
import type { SessionView } from '../../../shared/session/sessionView';
import { toLabel } from '../../../shared/text';
import { Button } from '../controls/button';
import { Icon, type IconName } from '../controls/icon';
import { toMoment, toWholeDuration } from '../controls/numbers';
import { useRememberedFlag } from '../controls/remembered';
import { useTicking } from '../controls/ticking';
import { Panel } from '../panelContext';
import { MadeFiles, Resources } from './attachedFacts';
import { ConnectionState, LostConnection } from './connectionState';
import { Fact } from './fact';
import { Outcomes } from './outcomes';
import { readClock, type SessionClock, secondsAt } from './sessionClock';
import { ThreadList } from './threadList';
import { Cost, Tokens } from './usage';

/** Pixels of width below which the details are folded unless they are asked for: they would take up half of the panel. */
const roomForDetails = 700;

/**
 * What stands above the timeline: state, agent, times, tokens and cost, connection, outcomes and what is mounted. Folds to one
 * line and stays so. `source` names the connection or the exported file.
 */
export function Header({ view, connection, source }: { view: SessionView; connection: ConnectionView; source: string }): VNode {
  const { t, announce } = useContext(Panel);
  const [isWide] = useState(() => window.innerWidth >= roomForDetails);
  const [isOpen, setOpen] = useRememberedFlag('header', isWide);
  const seconds = useSessionClock(view, connection);
  const title = view.title === '' && view.firstWords === '' ? t('Untitled Session') : toLabel(view.title || view.firstWords);
  const state = toStateWords(view, t);
  useChange(state, () => announce(state));
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <section class={isOpen ? 'header isOpen' : 'header'} aria-label={t('Session')}>
      <div class="header-line">
        <Button
          look="icon"
          icon={isOpen ? 'chevronDown' : 'chevronRight'}
          label={isOpen ? t('Hide Session Details') : t('Show Session Details')}
          isExpanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        <span class={`header-state header-state-${view.state}`}>
          <Icon name={iconOf(view)} spin={view.state === 'running' && connection.name !== 'offlineFile'} />
          <span class="header-state-words" title={state}>
            {state}
          </span>
        </span>
        <h1 class="header-title" title={title}>
          {title}
        </h1>
        {isOpen || seconds.elapsed === undefined ? null : (
          <span class="header-elapsed" title={t('Elapsed')}>
            {toWholeDuration(seconds.elapsed, t)}
          </span>
        )}
        <ConnectionState connection={connection} />
      </div>
      <LostConnection connection={connection} />
      {isOpen ? <Details view={view} connection={connection} source={source} seconds={seconds} /> : null}
    </section>
  );
}

interface DetailsProps {
  view: SessionView;
  connection: ConnectionView;
  source: string;
  seconds: ReturnType<typeof secondsAt>;
}

function Details({ view, connection, source, seconds }: DetailsProps): VNode {
  const { t, locale, post } = useContext(Panel);
  const { agent, environmentId, createdAt } = view;
  const isFile = connection.name === 'offlineFile';
  return (
    <dl class="header-facts">
      {agent === undefined ? null : (
        <>
          <Fact name={t('Agent')}>
            <Button look="link" hint={t('Open Agent {0}', toLabel(agent.name || agent.id))} onClick={() => post({ type: 'openAgent' })}>
              {toLabel(agent.name || agent.id)}
              {agent.version === undefined ? '' : ` · ${t('version {0}', agent.version)}`}
            </Button>
          </Fact>
          {agent.model === '' ? null : <Fact name={t('Model')}>{toLabel(agent.model)}</Fact>}
        </>
      )}
      <Fact name={t('Elapsed')}>{seconds.elapsed === undefined ? t('not told') : toWholeDuration(seconds.elapsed, t)}</Fact>
      <Fact name={view.isPartial === true ? t('Active, of the part read') : t('Active')}>
        {seconds.active === undefined ? t('not told') : toWholeDuration(seconds.active, t)}
      </Fact>
      <Tokens tokens={view.tokens} isPartial={view.isPartial === true} areSummed={view.areTokensSummed === true} />
      <Cost view={view} isFile={isFile} />
      <Outcomes outcomes={view.outcomes} />
      <Resources view={view} isFile={isFile} />
      <MadeFiles view={view} isFile={isFile} />
      <ThreadList threads={view.threads} />
      {environmentId === undefined ? null : (
        <Fact name={t('Environment')}>
          <Identifier id={environmentId} what={t('Copy Environment Id')} />
        </Fact>
      )}
      <Fact name={t('Session')}>
        <Identifier id={view.id} what={t('Copy Session Id')} />
      </Fact>
      {createdAt === undefined ? null : <Fact name={t('Created')}>{toMoment(createdAt, locale, Date.now())}</Fact>}
      <Fact name={isFile ? t('File') : t('Connection')}>{toLabel(source)}</Fact>
    </dl>
  );
}

function Identifier({ id, what }: { id: string; what: string }): VNode {
  const { post } = useContext(Panel);
  return (
    <span class="header-identifier">
      <code class="header-code">{toLabel(id)}</code>
      <Button look="icon" icon="copy" label={what} onClick={() => post({ type: 'copyText', text: id })} />
    </span>
  );
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

/** Calls when the value is another than it was; not at first. */
function useChange(value: string, call: () => void): void {
  const last = useRef(value);
  useEffect(() => {
    if (last.current !== value) {
      last.current = value;
      call();
    }
  });
}

/** The state in words, with why it rests where that is more than the end of a turn. */
function toStateWords(view: SessionView, t: Translate): string {
  const { rest } = view;
  const word = toStateWord(view, t);
  return rest === undefined || rest.kind === 'done' ? word : t('{0}: {1}', word, describeRest(rest, t));
}

function toStateWord({ state, status }: SessionView, t: Translate): string {
  switch (state) {
    case 'waiting':
      return t('Waits for You');
    case 'running':
      return t('Running');
    case 'idle':
      return t('Idle');
    case 'failed':
      return t('Failed');
    case 'rescheduling':
      return t('Rescheduling');
    case 'terminated':
      return t('Terminated');
    case 'archived':
      return t('Archived');
    case 'deleted':
      return t('Deleted');
    case 'other':
    case 'unknown':
      return status === '' ? t('Unknown') : toLabel(status, 40);
  }
}

function iconOf({ state, rest }: SessionView): IconName {
  switch (state) {
    case 'failed':
      return 'error';
    case 'other':
      return 'unknown';
    case 'idle':
      return rest?.kind === 'refused' || rest?.kind === 'empty' ? 'warning' : 'idle';
    default:
      return state;
  }
}
