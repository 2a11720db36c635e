import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { toNumber } from '../../../shared/formats';
import type { RunRow } from '../../../shared/session/rows/rows';
import { runWords } from '../../../shared/session/rows/rowWords';
import type { RunAgentView, RunPhaseView, RunView } from '../../../shared/session/sessionView';
import { toNeedWords, toThreadWord } from '../../../shared/session/threadViews';
import { join } from '../../../shared/text';
import { Button } from '../../controls/button';
import { Icon, type IconName } from '../../controls/icon';
import { toMoney, toShortCount } from '../../controls/numbers';
import { Panel, useRememberedFlag } from '../../controls/panelContext';
import { visible } from '../../controls/text/visibleText';
import { type RowProps, Rows, Runs, timeOf } from '../rowsContext';
import { RowLine } from './rowLine';

const stateIcons: Readonly<Record<string, IconName>> = {
  running: 'running',
  idle: 'idle',
  completed: 'check',
  error: 'error',
  stopped: 'stop',
};
const phaseIcons: Readonly<Record<RunPhaseView['state'], IconName>> = { waiting: 'idle', running: 'running', left: 'check' };

/** A workflow run. The run unfolds to its phases, and each phase unfolds to its agents. */
export function RunRowView({ row, isOpen }: RowProps<RunRow>): VNode {
  const { t } = useContext(Panel);
  const run = useContext(Runs).get(row.runId);
  const state = row.result ?? run?.state ?? 'running';
  const name = row.name || run?.name || row.runId;
  return (
    <RowLine
      row={row}
      icon={stateIcons[state] ?? 'unknown'}
      spin={state === 'running'}
      isOpen={isOpen}
      facts={useCounts(run)}
      below={
        run && (
          <>
            {run.description === '' ? null : <div class="plainText">{visible(run.description)}</div>}
            {run.problem === undefined ? null : <div class="problem">{visible(run.problem)}</div>}
            <ul class="runPhases">
              {run.phases.map(phase => (
                <Phase key={phase.id} run={run} phase={phase} />
              ))}
            </ul>
          </>
        )
      }
    >
      <b>{visible(name)}</b> {visible(runWords(state, t))}
    </RowLine>
  );
}

function Phase({ run, phase }: { readonly run: RunView; readonly phase: RunPhaseView }): VNode {
  const { t, locale, post } = useContext(Panel);
  const { canWrite } = useContext(Rows);
  const [isOpen, setOpen] = useRememberedFlag(`phase ${run.id} ${phase.id}`, phase.state === 'running');
  const name = phase.id === '' ? t('Not in a phase') : phase.name;
  const more = phase.agents - phase.shown.length;
  const words = usePhaseWords(phase);
  return (
    <li>
      <button type="button" class="runPhase flexLine" aria-expanded={isOpen} disabled={phase.agents === 0} onClick={() => setOpen(!isOpen)}>
        <Icon name={phase.agents === 0 ? phaseIcons[phase.state] : isOpen ? 'chevronDown' : 'chevronRight'} />
        <b>{visible(name)}</b> <span class="faint">{words}</span>
      </button>
      {isOpen && phase.agents > 0 ? (
        <ul class="runAgents">
          {phase.shown.map(agent => (
            <Agent key={agent.thread} agent={agent} />
          ))}
          {more === 0 ? null : (
            <li>
              {canWrite ? (
                <Button kind="link" onClick={() => post({ type: 'chooseRunThread', run: run.id, phase: phase.id })}>
                  {t('{0} more', toNumber(more, locale))}
                </Button>
              ) : (
                t('{0} more', toNumber(more, locale))
              )}
            </li>
          )}
        </ul>
      ) : null}
    </li>
  );
}

function Agent({ agent: { thread, name, status, waiting, lastAt, tokens, cost } }: { readonly agent: RunAgentView }): VNode {
  const { t, locale } = useContext(Panel);
  const { showThread, canWrite } = useContext(Rows);
  const facts = join(
    ' · ',
    waiting > 0 ? t('needs approval') : toThreadWord({ status, archived: false }, t),
    timeOf(lastAt, locale),
    tokens === undefined ? undefined : t('{0} tokens', toShortCount(tokens, locale)),
    cost === undefined ? undefined : toMoney(cost, locale),
  );
  return (
    <li class={waiting > 0 ? 'runAgent isWaiting' : 'runAgent'}>
      {canWrite ? (
        <Button kind="link" label={t('Show Thread {0}', name)} onClick={() => showThread(thread)}>
          {name}
        </Button>
      ) : (
        visible(name)
      )}{' '}
      <span class="faint">{facts}</span>
    </li>
  );
}

function useCounts(run: RunView | undefined): string | undefined {
  const { t, locale } = useContext(Panel);
  if (run === undefined || run.agents === 0) {
    return undefined;
  }
  const waiting = run.waiting === 0 ? [] : [toNeedWords(run.waiting, t, locale)];
  const agents = run.agents === 1 ? t('1 agent') : t('{0} agents', toNumber(run.agents, locale));
  return [...waiting, agents].join(' · ');
}

function usePhaseWords({ state, agents, running, waiting }: RunPhaseView): string {
  const { t, locale } = useContext(Panel);
  const all = toNumber(agents, locale);
  const needs = waiting === 0 ? '' : ` · ${toNeedWords(waiting, t, locale)}`;
  switch (state) {
    case 'waiting':
      return t('waiting');
    case 'running':
      return `${agents === 0 ? t('running') : t('running {0} of {1}', toNumber(running, locale), all)}${needs}`;
    case 'left':
      return `${agents === 0 ? t('moved on') : t('moved on · {0} agents', all)}${needs}`;
  }
}
