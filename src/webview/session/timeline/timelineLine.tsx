import type { Ref, VNode } from 'preact';
import type { Row } from '../../../shared/session/rows/rows';
import type { LoadedParts } from '../panelContext';
import type { RowsContext } from '../rows/rowsContext';
import { FoldLine } from './foldLine';
import type { RowLooks } from './rowLooks';
import type { TimelineModel } from './timelineModel';
import { TimelineRow } from './timelineRow';

/** The list that a line stands in, as far as a line knows it. */
interface LineList {
  readonly props: {
    readonly model: TimelineModel;
    readonly looks: RowLooks;
    readonly loadedParts: LoadedParts;
    readonly shared: RowsContext;
    readonly toShown: (row: Row) => Row;
  };
  setFoldOpen(key: string, isOpen: boolean): void;
  setRaw(row: Row, isRaw: boolean): void;
}

interface TimelineLineProps {
  readonly list: LineList;
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
