import { Component, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { Row } from '../../../shared/session/rows/rows';
import { Panel } from '../../controls/panelContext';
import { visible } from '../../controls/text/visibleText';
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
  /** Changes when something that all rows share changes: thread, language. */
  readonly shared: unknown;
}

interface RowContentState {
  readonly failed?: Row;
}

/** Content of a row. Rendered again only when it changes, because lists render at every scroll. */
export class RowContent extends Component<RowContentProps, RowContentState> {
  override state: RowContentState = {};

  /** One row that fails to render must not break the others. */
  override componentDidCatch(): void {
    this.setState({ failed: this.props.row });
  }

  override shouldComponentUpdate(next: RowContentProps, nextState: RowContentState): boolean {
    const { row, isOpen, shared } = this.props;
    return nextState !== this.state || next.row !== row || next.isOpen !== isOpen || next.shared !== shared;
  }

  override render({ row, isOpen }: RowContentProps): VNode {
    return this.state.failed === row ? <FailedRow row={row} /> : toView(row, isOpen);
  }
}

function toView(row: Row, isOpen: boolean): VNode {
  const props = { isOpen };
  switch (row.kind) {
    case 'user':
    case 'agent':
    case 'system':
      return <MessageRowView row={row} {...props} />;
    case 'thinking':
      return <ThinkingRowView row={row} {...props} />;
    case 'tool':
      return <ToolRowView row={row} {...props} />;
    case 'status':
      return <StatusRowView row={row} {...props} />;
    case 'error':
      return <ErrorRowView row={row} {...props} />;
    case 'outcome':
      return <OutcomeRowView row={row} {...props} />;
    case 'model':
      return <ModelRowView row={row} {...props} />;
    case 'thread':
      return <ThreadRowView row={row} {...props} />;
    case 'run':
      return <RunRowView row={row} {...props} />;
    case 'compaction':
    case 'usage':
    case 'update':
      return <NoteRowView row={row} {...props} />;
    case 'unknown':
      return <UnknownRowView row={row} {...props} />;
    case 'gap':
      return <GapRowView row={row} {...props} />;
  }
}

function FailedRow({ row }: { row: Row }): VNode {
  const { t } = useContext(Panel);
  return (
    <div class="problem">
      {t("This content can't be shown here.")} {visible(String(row.type))}
    </div>
  );
}
