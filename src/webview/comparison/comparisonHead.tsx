import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { ComparisonAct, ComparisonHead } from '../../shared/comparison/comparisonProtocol';
import '../list/tablePanel.css';
import { Button } from '../controls/button';
import { Icon } from '../controls/icon';
import { Panel } from '../controls/panelContext';
import './comparison.css';

/** Summary of the comparison, the compared runs, and the statistics behind it. */
export function ComparisonHeadView({
  head,
  onAct,
}: {
  readonly head: ComparisonHead;
  readonly onAct: (act: ComparisonAct) => void;
}): VNode {
  const { t } = useContext(Panel);
  return (
    <header class="head comparisonHead" tabIndex={0}>
      <div class="headLine">
        <h1 class={`summary tone-${head.tone}`}>{head.summary}</h1>
        <div class="headActs" role="toolbar" aria-label={t('The whole comparison')}>
          {head.counts.all === head.counts.same ? null : (
            <Button onClick={() => onAct('together')}>{t('Show Differences in One Editor')}</Button>
          )}
        </div>
      </div>
      <p class="chance">{head.chance}</p>
      <Runs runs={head.runs} numbers={head.numbers} />
      <Basis {...head} />
    </header>
  );
}

/** Facts about both runs, and their numbers side by side. */
export function Runs({ runs, numbers }: Pick<ComparisonHead, 'runs' | 'numbers'>): VNode {
  return (
    <dl class="runs">
      {runs.map(({ name, facts }, side) => (
        <div key={side}>
          <dt>{side === 0 ? 'A' : 'B'}</dt>
          <dd>{[name, ...facts].join(' · ')}</dd>
        </div>
      ))}
      {numbers.map(({ name, before, after }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{`${before} → ${after}`}</dd>
        </div>
      ))}
    </dl>
  );
}

interface BasisProps extends Pick<ComparisonHead, 'notices' | 'method'> {
  readonly measures?: readonly string[];
}

/** Notices, and details of the method. */
export function Basis({ notices, measures = [], method }: BasisProps): VNode {
  const { t } = useContext(Panel);
  return (
    <>
      {notices.map(text => (
        <p key={text} class="notice">
          <Icon name="info" />
          <span>{text}</span>
        </p>
      ))}
      <details class="method">
        <summary>{t('Details')}</summary>
        {[...measures, method].map(text => (
          <p key={text}>{text}</p>
        ))}
      </details>
    </>
  );
}
