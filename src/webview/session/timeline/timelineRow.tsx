import type { Ref, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { Row } from '../../../shared/session/rows/rows';
import { type LoadedParts, Panel } from '../panelContext';
import { RowActions } from '../rows/rowActions';
import { RowContent } from '../rows/rowContent';
import { rowName } from '../rows/rowName';
import { isErrorRow, isWaitingRow, isWaitingState } from '../rows/rowSigns';
import { type RowsContext, threadNameOf } from '../rows/rowsContext';
import type { RowLooks } from './rowLooks';

interface TimelineRowProps {
  readonly row: Row;
  readonly element: Ref<HTMLElement>;
  /** Pixels from the top of what all rows stand in. */
  readonly top: number;
  readonly position: number;
  readonly count: number;
  readonly looks: RowLooks;
  /** Whether Tab comes here. */
  readonly isActive: boolean;
  readonly isHovered: boolean;
  readonly isMarked: boolean;
  readonly loadedParts: LoadedParts;
  readonly shared: RowsContext;
  readonly onRaw: (row: Row, isRaw: boolean) => void;
}

/** One row of the timeline in its place; what can be done with it shows while it is pointed at or has the keyboard. */
export function TimelineRow({
  row,
  element,
  top,
  position,
  count,
  looks,
  isActive,
  isHovered,
  isMarked,
  ...rest
}: TimelineRowProps): VNode {
  const { t } = useContext(Panel);
  const { loadedParts, shared, onRaw } = rest;
  const isRaw = looks.isRaw(row);
  return (
    <article
      ref={element}
      class={toClass(row, isRaw, isMarked)}
      style={{ top: `${top}px` }}
      tabIndex={isActive ? 0 : -1}
      aria-label={rowName(row, t, threadNameOf(row, shared))}
      aria-posinset={position + 1}
      aria-setsize={count}
    >
      <RowContent row={row} isOpen={looks.isOpen(row)} isRaw={isRaw} loadedParts={loadedParts} shared={shared} />
      {isActive || isHovered ? <RowActions row={row} isRaw={isRaw} onRaw={() => onRaw(row, !isRaw)} /> : null}
    </article>
  );
}

function toClass(row: Row, isRaw: boolean, isMarked: boolean): string {
  const names = ['row', `row-${row.kind}`];
  if (row.kind === 'error' && row.retry === 'retrying') {
    names.push('isRetrying');
  } else if (isErrorRow(row)) {
    names.push('isError');
  } else if (isWaitingRow(row) || (row.kind === 'status' && isWaitingState(row))) {
    names.push('isWaiting');
  }
  if (isRaw) {
    names.push('isRaw');
  }
  if (isMarked) {
    names.push('isMarked');
  }
  return names.join(' ');
}
