import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { SessionPairAct, SessionPairView } from '../../shared/comparison/sessionComparisonProtocol';
import type { PairSide } from '../../shared/results/resultsProtocol';
import { Side } from '../pairs/pair';
import { PairFrame, type PairPosition } from '../pairs/pairFrame';
import { Button } from '../controls/button';
import { Panel } from '../controls/panelContext';

interface SessionPairProps extends PairPosition {
  readonly pair: SessionPairView | undefined;
  readonly onAct: (act: SessionPairAct) => void;
}

/** One turn or step of both sessions, side by side. */
export function SessionPair({ pair, onAct, ...place }: SessionPairProps): VNode {
  const { t } = useContext(Panel);
  const row = pair?.row;
  const name = row === undefined ? '' : row.isTurn ? t('Turn {0}', row.turn) : t('Turn {0}: {1}', row.turn, row.what);
  const link = (act: SessionPairAct, words: string): VNode => (
    <Button look="link" onClick={() => onAct(act)}>
      {words}
    </Button>
  );
  const missing = (notice: string): PairSide => ({ facts: [], parts: [], isCut: false, notice });
  return (
    <PairFrame
      {...place}
      pair={pair}
      label={pair === undefined ? t('Both sessions') : t('Both sessions, {0}', name)}
      toolbarLabel={t('Both sessions')}
      name={
        <>
          <h2>{name}</h2>
          {pair === undefined || pair.row.change === '' ? null : <span class={`kind-${pair.row.kind}`}>{pair.row.change}</span>}
        </>
      }
      acts={
        <>
          {link('difference', t('Show Difference'))}
          {pair?.before === undefined ? null : link('before', t('Open in Session A'))}
          {pair?.after === undefined ? null : link('after', t('Open in Session B'))}
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
