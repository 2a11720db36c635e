import type { Row } from '../../../shared/session/rows/rows';
import { isRowMove, rowAfter } from '../../list/rowMoves';
import { fileActsOf } from '../rows/fileActs';
import { toCopyMessage } from '../rows/toCopyMessage';
import { isFoldable } from './rowLooks';
import { isWanted, type TimelineAct } from './timelineKeys';
import type { TimelineModel } from './timelineModel';
import type { Timeline } from './timelineView';

/** Does what a key asks for, in a list whose keyboard is on the row at `position`. */
export function performAct(act: TimelineAct, position: number, list: Timeline): void {
  const { model } = list.props;
  if (isRowMove(act)) {
    list.focusRow(rowAfter(act, position, model.window(list.viewport)) ?? 0);
    if (act === 'last') {
      list.follow();
    }
    return;
  }
  switch (act) {
    case 'nextError':
    case 'nextWaiting':
    case 'nextMessage':
      list.goToNext(act);
      break;
    case 'search':
    case 'keys':
      list.props.onAct(act);
      break;
    default: {
      const fold = model.foldAt(position);
      const row = model.rowAt(position);
      if (fold !== undefined && (act === 'toggle' || act === 'open' || act === 'fold')) {
        list.setFoldOpen(fold.key, act === 'toggle' ? !fold.isOpen : act === 'open');
      } else if (row !== undefined) {
        performOnRow(act, row, list);
      }
    }
  }
}

/** The next row an act looks for behind `from`, from the top again after the end. */
export function nextWanted(act: TimelineAct, model: TimelineModel, from: number): Row | undefined {
  for (let step = 1; step <= model.length; step++) {
    const row = model.rowAt((from + step + model.length) % model.length);
    if (row !== undefined && isWanted(act, row)) {
      return row;
    }
  }
  return undefined;
}

type RowAct = 'toggle' | 'open' | 'fold' | 'raw' | 'copy' | 'json' | 'change' | 'file';

function performOnRow(act: RowAct, row: Row, list: Timeline): void {
  const { looks, shared } = list.props;
  switch (act) {
    case 'raw':
      list.setRaw(row, !looks.isRaw(row));
      break;
    case 'copy':
      list.post(toCopyMessage(row, shared.thread));
      break;
    case 'json':
      list.post({ type: 'openRaw', thread: shared.thread, key: row.key });
      break;
    case 'change':
      if (fileActsOf(row).hasChange) {
        list.post({ type: 'openChange', thread: shared.thread, key: row.key });
      }
      break;
    case 'file':
      if (fileActsOf(row).hasFile) {
        list.post({ type: 'openInWorkspace', thread: shared.thread, key: row.key });
      }
      break;
    default: {
      const isOpen = act === 'toggle' ? !looks.isOpen(row) : act === 'open';
      if (isFoldable(row) && isOpen !== looks.isOpen(row)) {
        list.setOpen(row.key, isOpen);
      } else if (act === 'fold') {
        list.setFoldOpen(row.key, false);
      }
    }
  }
}
