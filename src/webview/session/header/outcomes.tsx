import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { SessionView } from '../../../shared/session/sessionView';
import type { Translate } from '../../../shared/session/translateText';
import { toLabel } from '../../../shared/text';
import { Icon, type IconName } from '../controls/icon';
import { Panel } from '../panelContext';
import { visible } from '../text/visibleText';
import { Fact } from './fact';

type Outcome = SessionView['outcomes'][number];

/** What was to be reached, how it was judged, and, opened, why. */
export function Outcomes({ outcomes }: { outcomes: readonly Outcome[] }): VNode | null {
  const { t } = useContext(Panel);
  if (outcomes.length === 0) {
    return null;
  }
  return (
    <Fact name={outcomes.length === 1 ? t('Outcome') : t('Outcomes')}>
      {outcomes.map(outcome => (
        <OutcomeChip key={outcome.id} outcome={outcome} />
      ))}
    </Fact>
  );
}

function OutcomeChip({ outcome }: { outcome: Outcome }): VNode {
  const { t } = useContext(Panel);
  const { description, explanation, iteration } = outcome;
  return (
    <details class={`header-outcome header-outcome-${look(outcome.result)}`}>
      <summary>
        <Icon name={icons[look(outcome.result)]} />
        <b>{toResultWord(outcome.result, t)}</b>
        {iteration === undefined ? null : <span>{t('iteration {0}', iteration)}</span>}
        <span class="header-outcome-description">{toLabel(description)}</span>
      </summary>
      {description.length > 80 ? <p class="header-words">{visible(description)}</p> : null}
      <p class="header-words">{explanation === '' ? t('No explanation was given.') : visible(explanation)}</p>
    </details>
  );
}

const icons = { reached: 'check', missed: 'cross', open: 'outcome' } as const satisfies Record<string, IconName>;

function look(result: string): keyof typeof icons {
  switch (result) {
    case 'satisfied':
      return 'reached';
    case 'max_iterations_reached':
    case 'failed':
    case 'interrupted':
      return 'missed';
    default:
      return 'open';
  }
}

function toResultWord(result: string, t: Translate): string {
  switch (result) {
    case '':
    case 'pending':
      return t('Not judged yet');
    case 'running':
      return t('In work');
    case 'evaluating':
      return t('Being judged');
    case 'satisfied':
      return t('Satisfied');
    case 'needs_revision':
      return t('Needs revision');
    case 'max_iterations_reached':
      return t('Iterations used up');
    case 'failed':
      return t('Failed');
    case 'interrupted':
      return t('Interrupted');
    default:
      return toLabel(result);
  }
}
