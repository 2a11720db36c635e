import { Component, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { Row, RowKind } from '../../../shared/session/rows/rows';
import { Panel } from '../../controls/panelContext';
import { visible } from '../../controls/text/visibleText';
import type { RowProps } from '../rowsContext';
import {
  ErrorRowView,
  GapRowView,
  ModelRowView,
  NoteRowView,
  OutcomeRowView,
  StatusRowView,
  ThreadRowView,
  UnknownRowView,
} from './lineRows';
import { MessageRowView, ThinkingRowView } from './messageRow';
import { RunRowView } from './runRow';
import { ToolRowView } from './toolRowView';

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
export class RowContent extends Component<RowContentProps, RowContentState> {
  override state: RowContentState = {};

  /** Handles a row that fails to render, which must not break the others. */
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
  compaction: NoteRowView,
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
