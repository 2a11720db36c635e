import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { HeadAct, ResultsHead } from '../../shared/results/resultsProtocol';
import type { Translate } from '../../shared/session/translateText';
import { Button } from '../session/controls/button';
import type { IconName } from '../session/controls/icon';
import { Icon } from '../session/controls/icon';
import { Panel } from '../session/panelContext';

/** Which results these are, whether they are whole, and what can be done with all of them. */
export function Head({ head, onAct }: { readonly head: ResultsHead; readonly onAct: (act: HeadAct) => void }): VNode {
  const { t } = useContext(Panel);
  return (
    <header class="head">
      <div class="headLine">
        <div class="headNames">
          <h1>{head.title}</h1>
          <ul class="headFacts">
            {head.facts.map(fact => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        </div>
        <div class="headActs" role="toolbar" aria-label={head.subject === 'requests' ? t('All requests') : t('All results')}>
          {head.acts.map(act => (
            <Button key={act} look="secondary" {...iconOf(act)} onClick={() => onAct(act)}>
              {nameOf(act, t)}
            </Button>
          ))}
        </div>
      </div>
      {head.notices.map(({ tone, text, act }) => (
        <p key={text} class={`notice tone-${tone}`} role={tone === 'error' ? 'alert' : undefined}>
          <Icon name={tone === 'plain' ? 'info' : tone} />
          <span>
            {text}{' '}
            {act === undefined ? null : (
              <Button look="link" onClick={() => onAct(act.act)}>
                {act.label}
              </Button>
            )}
          </span>
        </p>
      ))}
    </header>
  );
}

function iconOf(act: HeadAct): { readonly icon?: IconName } {
  const icons: Partial<Record<HeadAct, IconName>> = { export: 'export', openFile: 'open', openRequests: 'open', retry: 'rescheduling' };
  const icon = icons[act];
  return icon === undefined ? {} : { icon };
}

function nameOf(act: HeadAct, t: Translate): string {
  switch (act) {
    case 'export':
      return t('Export…');
    case 'retry':
      return t('Send Again...');
    case 'compare':
      return t('Compare With…');
    case 'openFile':
      return t('Open Results File');
    case 'createBatch':
      return t('Create Batch…');
    case 'fix':
      return t('Fix Problems');
    case 'openRequests':
      return t('Open File');
    case 'save':
      return t('Save');
    case 'fetch':
      return t('Fetch Results');
    case 'showMissing':
      return t('Show Them');
    case 'showReport':
      return t('Show Report');
  }
}
