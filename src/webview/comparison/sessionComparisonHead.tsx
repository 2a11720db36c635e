import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { SessionComparisonAct, SessionComparisonHead } from '../../shared/comparison/sessionComparisonProtocol';
import { Basis, Runs } from './comparisonHead';
import '../list/tablePanel.css';
import { Button } from '../controls/button';
import { Panel } from '../controls/panelContext';
import './sessionComparison.css';

interface HeadProps {
  readonly head: SessionComparisonHead;
  readonly onAct: (act: SessionComparisonAct) => void;
}

/** Summary of the differences, the compared sessions, and the method. */
export function SessionComparisonHeadView({ head, onAct }: HeadProps): VNode {
  const { t } = useContext(Panel);
  return (
    <header class="head comparisonHead" tabIndex={0}>
      <div class="headLine">
        <div class="headNames">
          <h1>{head.summary}</h1>
        </div>
        <div class="headActs" role="toolbar" aria-label={t('The whole comparison')}>
          <Button look="secondary" onClick={() => onAct('difference')}>
            {t('Show Transcripts in Diff Editor')}
          </Button>
          <Button look="secondary" onClick={() => onAct('refresh')}>
            {t('Refresh')}
          </Button>
        </div>
      </div>
      {head.differences.length === 0 ? null : (
        <ul class="differences">
          {head.differences.map(text => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <Runs runs={head.sessions} numbers={head.numbers} />
      <Basis {...head} />
    </header>
  );
}
