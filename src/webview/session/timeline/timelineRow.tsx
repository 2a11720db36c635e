import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { isWaitingRow, kindOf } from '../../../shared/session/rows/rowKinds';
import type { Row } from '../../../shared/session/rows/rows';
import { Panel } from '../../controls/panelContext';
import { RowActions } from '../rows/rowActions';
import { RowContent } from '../rows/rowContent';
import { rowName } from '../rows/rowName';
import { type RowsContext, threadNameOf } from '../rowsContext';

interface TimelineRowProps {
  readonly row: Row;
  readonly top: number;
  readonly position: number;
  readonly count: number;
  readonly isOpen: boolean;
  /** True if Tab reaches this row. */
  readonly isActive: boolean;
  readonly isHovered: boolean;
  readonly isMarked: boolean;
  readonly shared: RowsContext;
}

/** One row of the timeline. Its actions show on hover and on focus. */
export function TimelineRow({ row, top, position, count, isActive, isHovered, isMarked, ...content }: TimelineRowProps): VNode {
  const { t } = useContext(Panel);
  return (
    <article
      data-key={row.key}
      class={toClass(row, isMarked)}
      style={{ top: `${top}px` }}
      tabIndex={isActive ? 0 : -1}
      aria-label={rowName(row, t, threadNameOf(row, content.shared))}
      aria-posinset={position + 1}
      aria-setsize={count}
    >
      <RowContent row={row} {...content} />
      {isActive || isHovered ? <RowActions row={row} /> : null}
    </article>
  );
}

function toClass(row: Row, isMarked: boolean): string {
  return `row row-${row.kind}${stateClass(row)}${isMarked ? ' isMarked' : ''} hoverable`;
}

function stateClass(row: Row): string {
  if (row.kind === 'error' && row.retry === 'retrying') {
    return ' isRetrying';
  }
  return kindOf(row).isError(row) ? ' isError' : isWaitingRow(row) ? ' isWaiting' : '';
}
