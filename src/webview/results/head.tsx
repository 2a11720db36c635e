import { ownValue } from '../../shared/isRecord';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { HeadAct, ResultsHead } from '../../shared/results/resultsProtocol';
import type { Translate } from '../../shared/session/translateText';
import { Button } from '../controls/button';
import { Icon } from '../controls/icon';
import { Panel } from '../controls/panelContext';

interface HeadProps {
  readonly head: ResultsHead;
  readonly count: string;
  readonly tokens: string;
  readonly onAct: (act: HeadAct) => void;
}

/** Title of the results, a note if they are incomplete, and actions on all of them. */
export function Head({ head, count, tokens, onAct }: HeadProps): VNode {
  const { t } = useContext(Panel);
  return (
    <header class="head">
      <div class="headLine flexWrap flexBaseline">
        <h1 title={head.details}>{head.title}</h1>
        <ul class="headFacts faint">
          {count === '' ? null : (
            <li class="count" title={tokens}>
              {count}
            </li>
          )}
          {head.facts.map(fact => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
        <div class="headActs flexWrap" role="toolbar" aria-label={head.subject === 'requests' ? t('All requests') : t('All results')}>
          {head.acts.map(act => (
            <Button key={act} onClick={() => onAct(act)} {...(act === 'more' && { label: t('More...') })}>
              {act === 'more' ? '…' : nameOf(act, t)}
            </Button>
          ))}
        </div>
      </div>
      {head.notices.map(({ tone, text, act }) => (
        <p key={text} class="notice" role={tone === 'error' ? 'alert' : undefined}>
          <Icon name={tone === 'plain' ? 'info' : tone} tone={tone} />
          <span>
            {text}{' '}
            {act === undefined ? null : (
              <Button kind="link" onClick={() => onAct(act.act)}>
                {act.label}
              </Button>
            )}
          </span>
        </p>
      ))}
    </header>
  );
}

function nameOf(act: HeadAct, t: Translate): string {
  const words = {
    export: t('Export'),
    compare: t('Compare'),
    createBatch: t('Create Batch...'),
    fix: t('Fix Problems'),
    openRequests: t('Open File'),
  };
  return ownValue(words, act) ?? '';
}
