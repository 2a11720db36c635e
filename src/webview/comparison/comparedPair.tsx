import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { ComparedPairAct, ComparedPairView } from '../../shared/comparison/comparisonProtocol';
import type { PairSide } from '../../shared/results/resultsProtocol';
import { Side } from '../pairs/pair';
import { PairFrame, type PairPosition } from '../pairs/pairFrame';
import { Button } from '../controls/button';
import { Panel } from '../controls/panelContext';

interface ComparedPairProps extends PairPosition {
  readonly pair: ComparedPairView | undefined;
  readonly onAct: (act: ComparedPairAct) => void;
}

/** Both answers to a request, side by side. */
export function ComparedPair({ pair, onAct, ...place }: ComparedPairProps): VNode {
  const { t } = useContext(Panel);
  const link = (act: ComparedPairAct, words: string): VNode => (
    <Button look="link" onClick={() => onAct(act)}>
      {words}
    </Button>
  );
  return (
    <PairFrame
      {...place}
      pair={pair}
      label={pair === undefined ? t('Both answers') : t('Both answers to {0}', pair.row.id)}
      toolbarLabel={t('Both answers')}
      name={<h2>{pair?.row.id ?? ''}</h2>}
      acts={
        <>
          {link('difference', t('Show Difference'))}
          {pair?.row.before === undefined ? null : link('before', t('Results of A'))}
          {pair?.row.after === undefined ? null : link('after', t('Results of B'))}
          {link('request', t('Go to Request'))}
        </>
      }
      sides={
        pair === undefined ? null : (
          <>
            <Side title="A" side={pair.before ?? missing(t('no result'))} onWhole={() => onAct('difference')} />
            <Side title="B" side={pair.after ?? missing(t('no result'))} onWhole={() => onAct('difference')} />
          </>
        )
      }
    />
  );
}

function missing(notice: string): PairSide {
  return { facts: [], parts: [], isCut: false, notice };
}
