import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { ComparisonAct, ComparisonHead } from '../../shared/comparison/comparisonProtocol';
import '../results/results.css';
import { Button } from '../session/controls/button';
import { Icon } from '../session/controls/icon';
import { Panel } from '../session/panelContext';
import './comparison.css';

/** The verdict first, then which runs these are, and what it was found by. */
export function ComparisonHeadView({
  head,
  onAct,
}: {
  readonly head: ComparisonHead;
  readonly onAct: (act: ComparisonAct) => void;
}): VNode {
  const { t } = useContext(Panel);
  const [main, ...others] = head.verdicts;
  return (
    <header class="head comparisonHead" tabIndex={0}>
      <div class="headLine">
        <div class="headNames">
          <h1 class={`verdict tone-${main?.tone ?? 'unclear'}`}>{main?.text ?? head.title}</h1>
        </div>
        <div class="headActs" role="toolbar" aria-label={t('The whole comparison')}>
          <Button look="secondary" onClick={() => onAct('document')}>
            {t('Open as Document')}
          </Button>
          {head.counts.all === head.counts.same ? null : (
            <Button look="secondary" onClick={() => onAct('together')}>
              {t('Show Differences in One Editor')}
            </Button>
          )}
        </div>
      </div>
      {main === undefined ? null : <p class="verdictDetail">{detailOf(main)}</p>}
      <Runs runs={head.runs} numbers={head.numbers} />
      {others.length === 0 ? null : (
        // One that tells a difference is not to be overlooked.
        <details class="verdicts" open={others.some(({ tone }) => tone !== 'unclear')}>
          <summary>{others.length === 1 ? t('1 further verdict') : t('{0} further verdicts', others.length)}</summary>
          <ul>
            {others.map(verdict => (
              <li key={verdict.text} class={`tone-${verdict.tone}`}>
                {verdict.text} <span class="verdictDetail">{detailOf(verdict)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      <Basis {...head} />
    </header>
  );
}

function detailOf({ advice, detail }: ComparisonHead['verdicts'][number]): string {
  return advice === '' ? detail : `${advice} ${detail}`;
}

/** Both sides of a comparison, and numbers that are no verdict. */
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

/** What a comparison rests on: what to know of it, and how it was found. */
export function Basis({ notices, method }: Pick<ComparisonHead, 'notices' | 'method'>): VNode {
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
        <summary>{t('How this was found')}</summary>
        <p>{method}</p>
      </details>
    </>
  );
}
