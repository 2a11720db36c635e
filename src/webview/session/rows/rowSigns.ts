import type { Row, StatusRow, ToolRow } from '../../../shared/session/rows/rows';
import type { IconName } from '../controls/iconPaths';

export const toolIcons: Readonly<Record<ToolRow['state'], IconName>> = {
  waiting: 'waiting',
  held: 'idle',
  running: 'running',
  done: 'check',
  failed: 'error',
  denied: 'terminated',
  interrupted: 'stop',
  elsewhere: 'thread',
};

/** Rows that tell of something that went wrong: `e` goes from one to the next. */
export function isErrorRow(row: Row): boolean {
  return (
    row.kind === 'error' ||
    row.kind === 'gap' ||
    (row.kind === 'tool' && row.state === 'failed') ||
    (row.kind === 'model' && row.isError) ||
    ('delivery' in row && row.delivery === 'failed')
  );
}

/** Whether a state says that the user is waited for, and still is. */
export function isWaitingState(row: StatusRow): boolean {
  return (row.waitsFor?.length ?? 0) > 0 && row.settledSeq === undefined;
}

/** Rows that wait for the user: `w` goes from one to the next. */
export function isWaitingRow(row: Row): boolean {
  return row.kind === 'tool' && row.state === 'waiting';
}
