import { Component, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { isWaitingRow, kindOf } from '../../../shared/session/rows/rowKinds';
import type { Row, RowKind } from '../../../shared/session/rows/rows';
import { Panel } from '../../controls/panelContext';
import { visible } from '../../controls/text/visibleText';
import {
  ErrorRowView,
  GapRowView,
  MessageRowView,
  ModelRowView,
  NoteRowView,
  OutcomeRowView,
  StatusRowView,
  ThinkingRowView,
  ThreadRowView,
  UnknownRowView,
} from '../rows/lineRows';
import { RowActions } from '../rows/rowActions';
import { rowName } from '../rows/rowName';
import { RunRowView } from '../rows/runRow';
import { ToolRowView } from '../rows/toolRowView';
import { type RowProps, type RowsContext, threadNameOf } from '../rowsContext';

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

/** One row of the timeline. The actions of the row show on hover and on focus. */
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
  const isRetrying = row.kind === 'error' && row.retry === 'retrying';
  const state = isRetrying ? ' isRetrying' : kindOf(row).isError(row) ? ' isError' : isWaitingRow(row) ? ' isWaiting' : '';
  return `row row-${row.kind}${state}${isMarked ? ' isMarked' : ''} hoverable`;
}

interface RowContentProps {
  readonly row: Row;
  readonly isOpen: boolean;
  /** Value that changes when data shared by all rows changes: thread, language. */
  readonly shared: unknown;
}

interface RowContentState {
  readonly failed?: Row;
}

/** Content of a row. Rendered again only when it changes, because lists render at every scroll. */
class RowContent extends Component<RowContentProps, RowContentState> {
  override state: RowContentState = {};

  /** Handles a row that fails to render, which must not break the other rows. */
  override componentDidCatch(): void {
    this.setState({ failed: this.props.row });
  }

  override shouldComponentUpdate(next: RowContentProps, nextState: RowContentState): boolean {
    const { row, isOpen, shared } = this.props;
    return nextState !== this.state || next.row !== row || next.isOpen !== isOpen || next.shared !== shared;
  }

  override render({ row, isOpen }: RowContentProps): VNode {
    const View = views[row.kind] as (props: RowProps<Row>) => VNode;
    return this.state.failed === row ? <FailedRow row={row} /> : <View row={row} isOpen={isOpen} />;
  }
}

const views: { readonly [K in RowKind]: (props: RowProps<Row & { readonly kind: K }>) => VNode } = {
  user: MessageRowView,
  agent: MessageRowView,
  system: MessageRowView,
  thinking: ThinkingRowView,
  tool: ToolRowView,
  status: StatusRowView,
  error: ErrorRowView,
  outcome: OutcomeRowView,
  model: ModelRowView,
  thread: ThreadRowView,
  run: RunRowView,
  note: NoteRowView,
  usage: NoteRowView,
  update: NoteRowView,
  unknown: UnknownRowView,
  gap: GapRowView,
};

function FailedRow({ row }: { row: Row }): VNode {
  const { t } = useContext(Panel);
  return (
    <div class="problem">
      {t("This content can't be shown here.")} {visible(String(row.type))}
    </div>
  );
}
