import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { ComparedPairView, ComparisonHead, FromPairs, PairsState } from '../../shared/comparison/comparisonProtocol';
import type { PairSide } from '../../shared/results/resultsProtocol';
import { Button } from '../controls/button';
import { Icon } from '../controls/icon';
import { Panel } from '../controls/panelContext';
import type { SavedState } from '../controls/savedState';
import '../list/tablePanel.css';
import { Side } from '../pairs/pair';
import { PairFrame, type PairPosition } from '../pairs/pairFrame';
import { PairList } from '../pairs/pairList';
import type { PairStore } from '../pairs/pairStore';
import './comparison.css';

interface AppProps {
  readonly store: PairStore;
  readonly head: ComparisonHead;
  readonly saved: SavedState<PairsState>;
  readonly post: (message: FromPairs) => void;
}

/** The comparison of two runs or sessions: the summary, filters, the table of pairs, and the pair that is open. */
export function ComparisonApp({ store, head, saved, post }: AppProps): VNode {
  return (
    <main class={`panel ${head.of === 'sessions' ? 'sessionComparison' : 'comparison'}`}>
      <Head head={head} onAct={act => post({ type: 'act', act })} />
      <PairList
        {...{ store, head, saved }}
        drawPair={(pair, position) => (
          <Pair
            {...position}
            {...{ head, pair }}
            onAct={act => post({ type: 'pair', filter: store.filter, place: position.position, act })}
          />
        )}
      />
    </main>
  );
}

interface HeadProps {
  readonly head: ComparisonHead;
  readonly onAct: (act: string) => void;
}

/** Summary of a comparison, facts about both sides and their numbers, notices, and the method. */
function Head({ head, onAct }: HeadProps): VNode {
  const { t } = useContext(Panel);
  return (
    <header class="head comparisonHead" tabIndex={0}>
      <div class="headLine flexWrap flexBaseline">
        <h1 class={head.tone && `summary tone-${head.tone}`}>{head.summary}</h1>
        <div class="headActs flexWrap" role="toolbar" aria-label={t('Comparison actions')}>
          {head.acts.map(({ act, label }) => (
            <Button key={act} onClick={() => onAct(act)}>
              {label}
            </Button>
          ))}
        </div>
      </div>
      {head.chance === undefined ? null : <p>{head.chance}</p>}
      {head.differences.length === 0 ? null : (
        <ul class="differences headFacts">
          {head.differences.map(text => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <dl class="runs">
        {head.runs.map(({ name, facts }, side) => (
          <div key={side}>
            <dt>{side === 0 ? 'A' : 'B'}</dt>
            <dd class="faint">{[name, ...facts].join(' · ')}</dd>
          </div>
        ))}
        {head.numbers.map(({ name, before, after }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="faint">{`${before} → ${after}`}</dd>
          </div>
        ))}
      </dl>
      {head.notices.map(text => (
        <p key={text} class="notice">
          <Icon name="info" />
          <span>{text}</span>
        </p>
      ))}
      <details class="method faint">
        <summary>{t('Details')}</summary>
        {head.details.map(text => (
          <p key={text}>{text}</p>
        ))}
      </details>
    </header>
  );
}

interface PairProps extends PairPosition, HeadProps {
  readonly pair: ComparedPairView | undefined;
}

/** Both sides of a pair, next to each other. */
function Pair({ head, pair, onAct, ...position }: PairProps): VNode {
  const { t } = useContext(Panel);
  const missing: PairSide = { facts: [], parts: [], isCut: false, notice: t('no result') };
  return (
    <PairFrame
      {...position}
      pair={pair}
      label={pair?.label ?? head.pairLabel}
      toolbarLabel={head.pairLabel}
      name={
        <>
          <h2>{pair?.name}</h2>
          {pair?.change === undefined ? null : <span class={pair.change.className}>{pair.change.words}</span>}
        </>
      }
      acts={pair?.links.map(({ act, label }) => (
        <Button key={act} kind="link" onClick={() => onAct(act)}>
          {label}
        </Button>
      ))}
      sides={
        <>
          <Side title="A" side={pair?.before ?? missing} onWhole={() => onAct('difference')} />
          <Side title="B" side={pair?.after ?? missing} onWhole={() => onAct('difference')} />
        </>
      }
    />
  );
}
