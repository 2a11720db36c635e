import { decisionOf, isWaitingRow, kindOf } from '../../../shared/session/rows/rowKinds';
import type { Row } from '../../../shared/session/rows/rows';
import { isRowMove, moveKeys, type RowMove, rowAfter } from '../../list/listWindow';
import { fileActsOf, toCopyMessage } from '../rows/rowActions';
import type { Timeline } from './timelineView';

const keys = {
  ...moveKeys,
  k: 'previous',
  j: 'next',
  Enter: 'toggle',
  ' ': 'toggle',
  ArrowRight: 'open',
  ArrowLeft: 'fold',
  e: 'nextError',
  w: 'nextWaiting',
  m: 'nextMessage',
  d: 'nextDenied',
  c: 'copy',
  o: 'json',
  v: 'change',
  f: 'file',
  '/': 'search',
  '?': 'keys',
} as const;

type TimelineAct = RowMove | (typeof keys)[keyof typeof keys];
type RowAct = Exclude<TimelineAct, RowMove | Jump | 'search' | 'keys'>;

/** Returns the action of a key pressed on or in a row. `undefined` for keys that the timeline doesn't handle. */
export function actOfEvent(event: KeyboardEvent): TimelineAct | undefined {
  const { key, ctrlKey, metaKey, altKey } = event;
  const isOnRow = event.target instanceof HTMLElement && event.target.matches('article');
  // Inside a row, links and buttons handle their own keys, and long texts handle the scroll keys.
  const isOwn = !(ctrlKey || metaKey || altKey) && (isOnRow || !/^(?:Enter| |Arrow|Page|Home|End)/.test(key));
  return isOwn && Object.hasOwn(keys, key) ? keys[key as keyof typeof keys] : undefined;
}

/** Rows at which each jump stops. */
export const jumps = {
  nextError: row => kindOf(row).isError(row),
  nextWaiting: isWaitingRow,
  nextDenied: row => decisionOf(row)?.result === 'deny',
  nextMessage: row => row.kind === 'user' || row.kind === 'agent',
} satisfies Record<string, (row: Row) => boolean>;
export type Jump = keyof typeof jumps;

function isJump(act: TimelineAct): act is Jump {
  return Object.hasOwn(jumps, act);
}

const rowActs: Record<RowAct, (row: Row, list: Timeline) => unknown> = {
  toggle: (row, list) => kindOf(row).isFoldable(row) && list.setOpen(row.key, !list.props.open.isOpen(row)),
  open: (row, list) => kindOf(row).isFoldable(row) && list.setOpen(row.key, true),
  fold: (row, list) => kindOf(row).isFoldable(row) && list.setOpen(row.key, false),
  copy: (row, list) => list.post(toCopyMessage(row, list.thread)),
  json: (row, list) => list.post({ type: 'openRaw', thread: list.thread, key: row.key }),
  change: (row, list) => fileActsOf(row).hasChange && list.post({ type: 'openChange', thread: list.thread, key: row.key }),
  file: (row, list) => fileActsOf(row).hasFile && list.post({ type: 'openInWorkspace', thread: list.thread, key: row.key }),
};

/** Performs an action in a list whose focus is on the row at `position`. */
export function performAct(act: TimelineAct, position: number, list: Timeline): void {
  const { model, onAct } = list.props;
  if (isRowMove(act)) {
    list.focusRow(rowAfter(act, position, model.window(list.viewport)) ?? 0);
    if (act === 'last') {
      list.follow();
    }
  } else if (act === 'search' || act === 'keys') {
    onAct(act);
  } else if (isJump(act)) {
    list.goToNext(act);
  } else {
    const row = model.rowAt(position);
    if (row !== undefined) {
      rowActs[act](row, list);
    }
  }
}
