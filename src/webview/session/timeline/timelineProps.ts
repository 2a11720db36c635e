import type { RefObject } from 'preact';
import type { Row } from '../../../shared/session/rows/rows';
import type { LoadedParts } from '../panelContext';
import type { RowsContext } from '../rows/rowsContext';
import type { RowLooks } from './rowLooks';
import type { TimelineModel } from './timelineModel';
import type { Timeline } from './timelineView';

/** What a timeline shows, and whom it tells what was done in it. */
export interface TimelineProps {
  /** Holds this list while it is in the page. */
  readonly handle: RefObject<Timeline | null>;
  readonly model: TimelineModel;
  readonly looks: RowLooks;
  readonly loadedParts: LoadedParts;
  /** What all rows share; another one draws them all again. */
  readonly shared: RowsContext;
  /** The row as it is to be shown: at an earlier moment, in a replay. */
  readonly toShown: (row: Row) => Row;
  readonly label: string;
  readonly isBusy: boolean;
  readonly pattern: RegExp | undefined;
  readonly onSelect: (key: string) => void;
  /** The user asked for what is not the list's to do. */
  readonly onAct: (act: 'search' | 'keys') => void;
  /** Another part of the list is in view, or the end is followed or not any more. */
  readonly onMoved: () => void;
}
