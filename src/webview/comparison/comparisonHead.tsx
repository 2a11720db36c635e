import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { ComparisonAct, ComparisonHead } from '../../shared/comparison/comparisonProtocol';
import '../results/results.css';
import { Button } from '../session/controls/button';
import { Icon } from '../session/controls/icon';
import { Panel } from '../session/panelContext';
import './comparison.css';

/** The verdict first, then which runs these are, and what it was found by. */
export function Head({ head, onAct }: { readonly head: ComparisonHead; readonly onAct: (act: ComparisonAct) => void }): VNode {
  const { t } = useContext(Panel);
  const [main, ...others] = head.verdicts;
  return (
    <header class="head comparisonHead" tabIndex={0}>
      <div class="headLine">
        <div class="headNames">
          {main === undefined ? null : (
            <>
              <p class={`verdict tone-${main.tone}`}>{main.text}</p>
              <p class="verdictDetail">{main.detail}</p>
            </>
          )}
          <h1 class="comparisonTitle">{head.title}</h1>
        </div>
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
        <ul class="verdicts" aria-label={t('Further verdicts')}>
          {others.map(({ tone, text, detail }) => (
            <li key={text} class={`tone-${tone}`}>
              {text} <span class="verdictDetail">{detail}</span>
            </li>
          ))}
        </ul>
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

/** Both runs, with numbers that are no verdict. */
function Runs({ head: { runs, numbers } }: { readonly head: ComparisonHead }): VNode {
  const { t } = useContext(Panel);
  const [before, after] = runs;
  return (
    <table class="runs">
      <thead>
        <tr>
          <td />
          <th scope="col">A</th>
          <th scope="col">B</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{t('Run')}</th>
          {[before, after].map(({ name, facts }, side) => (
            <td key={side}>
              <bdi>{name}</bdi> <span class="runFacts">{facts.join(' · ')}</span>
            </td>
          ))}
        </tr>
        {numbers.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="numbers">{before}</td>
            <td class="numbers">{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
