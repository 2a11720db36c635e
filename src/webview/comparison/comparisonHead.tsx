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
        <div class="headNames">{main === undefined ? <h1>{head.title}</h1> : <Verdict verdict={main} />}</div>
        <div class="headActs" role="toolbar" aria-label={t('The whole comparison')}>
          <Button look="secondary" onClick={() => onAct('document')}>
            {t('Open as Document')}
          </Button>
          <Button look="secondary" onClick={() => onAct('together')}>
            {t('Show Differences in One Editor')}
          </Button>
        </div>
      </div>
      <Runs head={head} />
      {others.length === 0 ? null : (
        // One that tells a difference is not to be overlooked.
        <details class="verdicts" open={others.some(({ tone }) => tone !== 'unclear')}>
          <summary>{others.length === 1 ? t('1 further verdict') : t('{0} further verdicts', others.length)}</summary>
          <ul>
            {others.map(({ tone, text, advice, detail }) => (
              <li key={text} class={`tone-${tone}`}>
                {text} <span class="verdictDetail">{`${advice} ${detail}`.trim()}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {head.notices.map(text => (
        <p key={text} class="notice">
          <Icon name="info" />
          <span>{text}</span>
        </p>
      ))}
      <details class="method">
        <summary>{t('How this was found')}</summary>
        <p>{head.method}</p>
      </details>
    </header>
  );
}

function Verdict({ verdict: { tone, text, advice, detail } }: { readonly verdict: ComparisonHead['verdicts'][number] }): VNode {
  return (
    <>
      <h1 class={`verdict tone-${tone}`}>{text}</h1>
      <p class="verdictDetail">{`${advice} ${detail}`.trim()}</p>
    </>
  );
}

/** Both runs, and numbers that are no verdict. */
function Runs({ head: { runs, numbers } }: { readonly head: ComparisonHead }): VNode {
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
