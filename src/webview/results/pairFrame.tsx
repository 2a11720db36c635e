import type { ComponentChildren, VNode } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { Button } from '../session/controls/button';
import { toCount } from '../session/controls/numbers';
import { Panel } from '../session/panelContext';
import './pair.css';

/** Where an open pair stands in its list, and how one goes on from it. */
export interface PairPlace {
  readonly problem: string | undefined;
  readonly place: number;
  readonly count: number;
  /** Changes when the keyboard is to come here. */
  readonly focusToken: number;
  readonly onStep: (step: number) => void;
  readonly onClose: () => void;
}

interface PairFrameProps extends PairPlace {
  /** What is shown; its sides begin at their top when it is another. */
  readonly pair: object | undefined;
  readonly label: string;
  readonly toolbarLabel: string;
  /** What names the pair, before its place. */
  readonly name: ComponentChildren;
  readonly acts: ComponentChildren;
  /** What stands above the sides. */
  readonly above?: ComponentChildren;
  /** Both sides; nothing as long as there is no pair. */
  readonly sides: ComponentChildren;
}

/** Two sides of one row of a table, with what leads to the next and the one before. */
export function PairFrame(props: PairFrameProps): VNode {
  const { pair, problem, place, count, focusToken, label, toolbarLabel, name, acts, above, sides, onStep, onClose } = props;
  const { t, locale } = useContext(Panel);
  const region = useRef<HTMLElement>(null);
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focusToken > 0) {
      region.current?.focus({ preventScroll: true });
    }
  }, [focusToken]);
  useEffect(() => {
    for (const side of shown.current?.children ?? []) {
      side.scrollTop = 0;
    }
  }, [pair]);
  return (
    <section
      class="pair"
      ref={region}
      tabIndex={-1}
      aria-label={label}
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
        {name}
        <span class="pairPlace">{t('{0} of {1}', toCount(place + 1, locale), toCount(count, locale))}</span>
        <div class="pairActs" role="toolbar" aria-label={toolbarLabel}>
          <Button look="icon" icon="up" label={t('Previous (Alt+Up)')} disabled={place === 0} onClick={() => onStep(-1)} />
          <Button look="icon" icon="down" label={t('Next (Alt+Down)')} disabled={place + 1 >= count} onClick={() => onStep(1)} />
          {acts}
          <Button look="icon" icon="cross" label={t('Close (Escape)')} onClick={onClose} />
        </div>
      </div>
      {problem === undefined ? null : (
        <p class="pairProblem problem" role="alert">
          {problem}
        </p>
      )}
      {pair === undefined || problem !== undefined ? null : (
        <>
          {above}
          <div class="pairSides" ref={shown}>
            {sides}
          </div>
        </>
      )}
    </section>
  );
}
