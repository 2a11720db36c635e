import type { Ref, VNode } from 'preact';
import { FoldLine } from './foldLine';
import { TimelineRow } from './timelineRow';
import type { Timeline } from './timelineView';

interface TimelineLineProps {
  readonly list: Timeline;
  readonly element: Ref<HTMLElement>;
  /** Pixels from the top of what all lines stand in. */
  readonly top: number;
  readonly position: number;
  /** Whether Tab comes here. */
  readonly isActive: boolean;
  readonly isHovered: boolean;
  readonly isMarked: boolean;
}

/** A line of the timeline in its place: a row, or what rows are folded into. */
export function TimelineLine({ list, isHovered, isMarked, ...place }: TimelineLineProps): VNode | null {
  const { model, looks, loadedParts, shared, toShown } = list.props;
  const count = model.length;
  const fold = model.foldAt(place.position);
  if (fold !== undefined) {
    return <FoldLine {...place} fold={fold} count={count} onOpen={isOpen => list.setFoldOpen(fold.key, isOpen)} />;
  }
  const row = model.rowAt(place.position);
  return row === undefined ? null : (
    <TimelineRow
      {...{ ...place, count, looks, isHovered, isMarked, loadedParts, shared }}
      row={toShown(row)}
      onRaw={(raw, isRaw) => list.setRaw(raw, isRaw)}
    />
  );
}
