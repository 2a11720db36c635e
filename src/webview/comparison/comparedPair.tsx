import type { VNode } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import type { ComparedPairAct, ComparedPairView } from '../../shared/comparison/comparisonProtocol';
import type { PairSide } from '../../shared/results/resultsProtocol';
import { Side } from '../results/pair';
import '../results/pair.css';
import { Button } from '../session/controls/button';
import { toCount } from '../session/controls/numbers';
import { Panel } from '../session/panelContext';

interface ComparedPairProps {
  readonly pair: ComparedPairView | undefined;
  readonly problem: string | undefined;
  readonly place: number;
  readonly count: number;
  readonly focusToken: number;
  readonly onStep: (step: number) => void;
  readonly onAct: (act: ComparedPairAct) => void;
  readonly onClose: () => void;
}

/** Both answers to a request, side by side. */
export function ComparedPair({ pair, problem, place, count, focusToken, onStep, onAct, onClose }: ComparedPairProps): VNode {
  const { t, locale } = useContext(Panel);
  const region = useRef<HTMLElement>(null);
  const sides = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focusToken > 0) {
      region.current?.focus({ preventScroll: true });
    }
  }, [focusToken]);
  useEffect(() => {
    for (const side of sides.current?.children ?? []) {
      side.scrollTop = 0;
    }
  }, [pair]);
  return (
    <section
      class="pair"
      ref={region}
      tabIndex={-1}
      aria-label={pair === undefined ? t('Both answers') : t('Both answers to {0}', pair.row.id)}
      onKeyDown={event => {
        if (event.key === 'Escape') {
          event.preventDefault();
          onClose();
        } else if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
          event.preventDefault();
          onStep(event.key === 'ArrowUp' ? -1 : 1);
        }
      }}
    >
      <div class="pairHead">
        <h2>{pair?.row.id ?? ''}</h2>
        <span class="pairPlace">{t('{0} of {1}', toCount(place + 1, locale), toCount(count, locale))}</span>
        <div class="pairActs" role="toolbar" aria-label={t('Both answers')}>
          <Button look="icon" icon="up" label={t('Previous (Alt+Up)')} disabled={place === 0} onClick={() => onStep(-1)} />
          <Button look="icon" icon="down" label={t('Next (Alt+Down)')} disabled={place + 1 >= count} onClick={() => onStep(1)} />
          <Button look="link" onClick={() => onAct('difference')}>
            {t('Show Difference')}
          </Button>
          {pair?.row.before === undefined ? null : (
            <Button look="link" onClick={() => onAct('before')}>
              {t('Results of A')}
            </Button>
          )}
          {pair?.row.after === undefined ? null : (
            <Button look="link" onClick={() => onAct('after')}>
              {t('Results of B')}
            </Button>
          )}
          <Button look="link" onClick={() => onAct('request')}>
            {t('Go to Request')}
          </Button>
          <Button look="icon" icon="cross" label={t('Close (Escape)')} onClick={onClose} />
        </div>
      </div>
      {problem === undefined ? null : (
        <p class="pairProblem problem" role="alert">
          {problem}
        </p>
      )}
      {pair === undefined || problem !== undefined ? null : (
        <div class="pairSides" ref={sides}>
          <Side
            title="A"
            side={pair.before ?? missing(t('There is no result of this request in A.'))}
            onWhole={() => onAct('difference')}
          />
          <Side title="B" side={pair.after ?? missing(t('There is no result of this request in B.'))} onWhole={() => onAct('difference')} />
        </div>
      )}
    </section>
  );
}

function missing(notice: string): PairSide {
  return { facts: [], parts: [], isCut: false, notice };
}
