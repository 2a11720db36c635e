import type { Ref, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { Icon } from '../controls/icon';
import { toCount } from '../controls/numbers';
import { Panel } from '../panelContext';
import type { Fold } from './timelineLines';

interface FoldLineProps {
  readonly fold: Fold;
  readonly element: Ref<HTMLElement>;
  /** Pixels from the top of what all lines stand in. */
  readonly top: number;
  readonly position: number;
  readonly count: number;
  /** Whether Tab comes here. */
  readonly isActive: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

/** A quiet line for rows of bookkeeping that follow each other; open, they stand below it. */
export function FoldLine({ fold, element, top, position, count, isActive, onOpen }: FoldLineProps): VNode {
  const { t, locale } = useContext(Panel);
  const words = fold.count === 1 ? t('1 status row') : t('{0} status rows', toCount(fold.count, locale));
  return (
    <article
      ref={element}
      class="row row-fold"
      style={{ top: `${top}px` }}
      tabIndex={isActive ? 0 : -1}
      aria-label={fold.isOpen ? t('{0}, unfolded', words) : t('{0}, folded', words)}
      aria-posinset={position + 1}
      aria-setsize={count}
    >
      <Icon name={fold.isOpen ? 'chevronDown' : 'chevronRight'} />
      <button type="button" class="rowHead foldable" tabIndex={-1} aria-expanded={fold.isOpen} onClick={() => onOpen(!fold.isOpen)}>
        {words}
      </button>
    </article>
  );
}
