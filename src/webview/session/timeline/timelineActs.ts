import type { Row } from '../../../shared/session/rows/rows';
import { toCopyText } from '../rows/rowText';
import { isFoldable } from './rowLooks';
import type { TimelineAct } from './timelineKeys';
import type { Timeline } from './timelineView';

/** Does what a key asks for, in a list whose keyboard is on the row at `position`. */
export function performAct(act: TimelineAct, position: number, list: Timeline): void {
  const { model } = list.props;
  switch (act) {
    case 'previous':
      list.focusRow(position - 1);
      break;
    case 'next':
      list.focusRow(position + 1);
      break;
    case 'pageUp':
      list.focusRow(Math.min(position - 1, model.positionAt(Math.max(0, model.topOf(position) - list.viewport))));
      break;
    case 'pageDown':
      list.focusRow(Math.max(position + 1, model.positionAt(model.topOf(position) + list.viewport)));
      break;
    case 'first':
      list.focusRow(0);
      break;
    case 'last':
      list.focusRow(model.length - 1);
      list.follow();
      break;
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
      const row = model.rowAt(position);
      if (row !== undefined) {
        performOnRow(act, row, list);
      }
    }
  }
}

function performOnRow(act: 'toggle' | 'open' | 'fold' | 'raw' | 'copy' | 'json', row: Row, list: Timeline): void {
  const { looks, shared } = list.props;
  switch (act) {
    case 'raw':
      list.setRaw(row, !looks.isRaw(row));
      break;
    case 'copy':
      list.post({ type: 'copyText', text: toCopyText(row) });
      break;
    case 'json':
      list.post({ type: 'openRaw', thread: shared.thread, key: row.key });
      break;
    default: {
      const isOpen = act === 'toggle' ? !looks.isOpen(row) : act === 'open';
      if (isFoldable(row) && isOpen !== looks.isOpen(row)) {
        list.setOpen(row.key, isOpen);
      }
    }
  }
}
