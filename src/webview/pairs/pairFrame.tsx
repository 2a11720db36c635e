import type { ComponentChildren, VNode } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { Button } from '../controls/button';
import { useFocusToken } from '../controls/focus';
import { toCount } from '../controls/numbers';
import { Panel } from '../controls/panelContext';
import './pair.css';

/** Position of an open pair in its list, and navigation from there. */
export interface PairPosition {
  readonly problem: string | undefined;
  readonly position: number;
  readonly count: number;
  readonly focusToken: number;
  readonly onStep: (step: number) => void;
  readonly onClose: () => void;
}

interface PairFrameProps extends PairPosition {
  /** The displayed pair. A different pair scrolls both sides to the top. */
  readonly pair: object | undefined;
  readonly label: string;
  readonly toolbarLabel: string;
  readonly name: ComponentChildren;
  readonly acts: ComponentChildren;
  readonly above?: ComponentChildren;
  readonly sides: ComponentChildren;
}

/** Two sides of one table row, with buttons for the next and previous row. */
export function PairFrame(props: PairFrameProps): VNode {
  const { pair, problem, position, count, focusToken, label, toolbarLabel, name, acts, above, sides, onStep, onClose } = props;
  const { t, locale } = useContext(Panel);
  const region = useRef<HTMLElement>(null);
  const shown = useRef<HTMLDivElement>(null);
  useFocusToken(region, focusToken);
  useEffect(() => {
    for (const side of shown.current?.children ?? []) {
      side.scrollTop = 0;
    }
  }, [pair]);
  return (
    <section
      class="pair flexColumn"
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
      <div class="pairHead flexWrap">
        {name}
        <span class="faint">{t('{0} of {1}', toCount(position + 1, locale), toCount(count, locale))}</span>
        <div class="pairActs flexLine" role="toolbar" aria-label={toolbarLabel}>
          <Button kind="icon" icon="up" label={t('Previous (Alt+Up)')} disabled={position === 0} onClick={() => onStep(-1)} />
          <Button kind="icon" icon="down" label={t('Next (Alt+Down)')} disabled={position + 1 >= count} onClick={() => onStep(1)} />
          {acts}
          <Button kind="icon" icon="cross" label={t('Close (Escape)')} onClick={onClose} />
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
