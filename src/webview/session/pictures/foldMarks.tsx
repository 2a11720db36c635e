import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { toDuration } from '../../controls/numbers';
import { Panel } from '../../controls/panelContext';
import { toVisibleFolds } from './visibleFolds';
import { toWaitWords } from './laneWords';
import type { TimeFold, TimeFolds } from './timeFolds';
import type { TimeSpan } from './timeSpan';

interface FoldMarksProps {
  readonly folds: TimeFolds;
  readonly span: TimeSpan;
  readonly width: number;
}

/** The length of each long wait, above its break. */
export function FoldMarks({ folds, span, width }: FoldMarksProps): VNode | null {
  const panel = useContext(Panel);
  const { t } = panel;
  if (folds.folds.length === 0) {
    return null;
  }
  const lengthOf = ({ from, to }: TimeFold): string => toDuration(to - from, panel);
  // An upper bound of the text width, so that nothing has to be measured.
  const places = toVisibleFolds(folds, span, width, wait => 8 + lengthOf(wait).length * 6.5);
  return (
    <ul class="lanes-folds" aria-label={t('Long waits')}>
      {places.map(({ wait, left, width: own }) => (
        <li key={wait.from} style={{ left: `${left}px`, width: `${own}px` }} title={toWaitWords(wait, t)}>
          {lengthOf(wait)}
        </li>
      ))}
    </ul>
  );
}
