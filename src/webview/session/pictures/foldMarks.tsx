import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { QuietStretch } from '../../../shared/session/facts/quietStretches';
import { Icon } from '../controls/icon';
import { toDuration } from '../controls/numbers';
import { Panel } from '../panelContext';
import { toFoldPlaces } from './foldPlaces';
import { toWaitWords } from './laneWords';
import type { TimeFolds } from './timeFolds';
import type { TimeSpan } from './timeSpan';

interface FoldMarksProps {
  readonly folds: TimeFolds;
  readonly span: TimeSpan;
  readonly width: number;
  readonly onFold: (wait: QuietStretch) => void;
}

/** A button over each long wait that says how long it was, and unfolds it or folds it again. */
export function FoldMarks({ folds, span, width, onFold }: FoldMarksProps): VNode | null {
  const panel = useContext(Panel);
  const { t } = panel;
  if (folds.foldable.length === 0) {
    return null;
  }
  const lengthOf = ({ from, to }: QuietStretch): string => toDuration(to - from, panel);
  // As wide as its words are at most, so that none has to be measured.
  const places = toFoldPlaces(folds, span, width, wait => 24 + lengthOf(wait).length * 6.5);
  return (
    <ul class="lanes-folds" aria-label={t('Long waits')}>
      {places.map(({ wait, isFolded, left, width: own }) => {
        const length = lengthOf(wait);
        const words = isFolded ? t('Unfold {0}, {1}', length, toWaitWords(wait, t)) : t('Fold {0}, {1}', length, toWaitWords(wait, t));
        return (
          <li key={wait.from} style={{ left: `${left}px`, width: `${own}px` }}>
            <button type="button" class="lanes-fold" title={words} aria-label={words} onClick={() => onFold(wait)}>
              <Icon name={isFolded ? 'waitFolded' : 'waitOpen'} />
              <span class="lanes-fold-length">{length}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
