import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { ComparisonHead } from '../../shared/comparison/comparisonProtocol';
import type { PairSide } from '../../shared/results/resultsProtocol';
import { Button } from '../controls/button';
import { Icon } from '../controls/icon';
import { Panel } from '../controls/panelContext';
import '../list/tablePanel.css';
import { Side } from '../pairs/pair';
import { PairFrame, type PairPosition } from '../pairs/pairFrame';
import './comparison.css';

interface ComparisonHeaderProps extends Pick<ComparisonHead, 'runs' | 'numbers' | 'notices' | 'method'> {
  readonly measures?: readonly string[];
  readonly heading: VNode;
  readonly acts: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Summary of a comparison, facts about both sides and their numbers, notices, and the method. */
export function ComparisonHeader(props: ComparisonHeaderProps): VNode {
  const { runs, numbers, notices, measures = [], method, heading, acts, children } = props;
  const { t } = useContext(Panel);
  return (
    <header class="head comparisonHead" tabIndex={0}>
      <div class="headLine flexWrap flexBaseline">
        {heading}
        <div class="headActs flexWrap" role="toolbar" aria-label={t('The whole comparison')}>
          {acts}
        </div>
      </div>
      {children}
      <dl class="runs">
        {runs.map(({ name, facts }, side) => (
          <div key={side}>
            <dt>{side === 0 ? 'A' : 'B'}</dt>
            <dd class="faint">{[name, ...facts].join(' · ')}</dd>
          </div>
        ))}
        {numbers.map(({ name, before, after }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="faint">{`${before} → ${after}`}</dd>
          </div>
        ))}
      </dl>
      {notices.map(text => (
        <p key={text} class="notice">
          <Icon name="info" />
          <span>{text}</span>
        </p>
      ))}
      <details class="method faint">
        <summary>{t('Details')}</summary>
        {[...measures, method].map(text => (
          <p key={text}>{text}</p>
        ))}
      </details>
    </header>
  );
}

interface ComparedSidesProps<Act extends string> extends PairPosition {
  readonly pair: { readonly before?: PairSide; readonly after?: PairSide } | undefined;
  readonly label: string;
  readonly toolbarLabel: string;
  readonly name: ComponentChildren;
  readonly links: readonly (readonly [act: Act | 'difference', words: string])[];
  readonly onAct: (act: Act | 'difference') => void;
}

/** Both sides of a pair, next to each other. */
export function ComparedSides<Act extends string>({ pair, links, onAct, ...frame }: ComparedSidesProps<Act>): VNode {
  const { t } = useContext(Panel);
  const missing: PairSide = { facts: [], parts: [], isCut: false, notice: t('no result') };
  const side = (title: string, content: PairSide | undefined): VNode => (
    <Side title={title} side={content ?? missing} onWhole={() => onAct('difference')} />
  );
  return (
    <PairFrame
      {...frame}
      pair={pair}
      acts={links.map(([act, words]) => (
        <Button key={act} kind="link" onClick={() => onAct(act)}>
          {words}
        </Button>
      ))}
      sides={
        pair === undefined ? null : (
          <>
            {side('A', pair.before)}
            {side('B', pair.after)}
          </>
        )
      }
    />
  );
}
