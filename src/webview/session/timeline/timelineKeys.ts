import type { Row } from '../../../shared/session/rows/rows';
import { moveKeys, type RowMove } from '../../list/rowMoves';
import { isErrorRow, isWaitingRow } from '../rows/rowSigns';

export type TimelineAct =
  | RowMove
  | 'toggle'
  | 'open'
  | 'fold'
  | 'nextError'
  | 'nextWaiting'
  | 'nextMessage'
  | 'raw'
  | 'copy'
  | 'json'
  | 'change'
  | 'file'
  | 'search'
  | 'keys';

interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

const acts: Readonly<Record<string, TimelineAct>> = {
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
  r: 'raw',
  c: 'copy',
  o: 'json',
  v: 'change',
  f: 'file',
  '/': 'search',
  '?': 'keys',
};

/** What a key does in the list; undefined for keys that belong to somebody else. */
function actOfKey({ key, ctrlKey, metaKey, altKey }: KeyPress): TimelineAct | undefined {
  return ctrlKey || metaKey || altKey ? undefined : Object.hasOwn(acts, key) ? acts[key] : undefined;
}

/** What a key does that was pressed on a row or in one. */
export function actOfEvent(event: KeyboardEvent): TimelineAct | undefined {
  const isOnRow = event.target instanceof HTMLElement && event.target.matches('article');
  // Within a row, links and buttons have their own use for the keys that press them, and long texts for those that scroll.
  return isOnRow || !/^(?:Enter| |Arrow|Page|Home|End)/.test(event.key) ? actOfKey(event) : undefined;
}

/** The keys and what they do, for people; texts are to be translated. */
export const keyHelp: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['↑', '↓', 'j', 'k'], does: 'Go to the row above or below' },
  { keys: ['Page Up', 'Page Down'], does: 'Go up or down a page' },
  { keys: ['Home', 'End'], does: 'Go to the first row, or to the end and follow it' },
  { keys: ['Enter', 'Space', '←', '→'], does: 'Fold or unfold the row' },
  { keys: ['m'], does: 'Next message' },
  { keys: ['e'], does: 'Next problem' },
  { keys: ['w'], does: 'Next that waits for you' },
  { keys: ['/', 'Ctrl+F'], does: 'Search' },
  { keys: ['r'], does: 'Show the row raw, or rendered again' },
  { keys: ['c'], does: 'Copy the row' },
  { keys: ['o'], does: 'Open the event as JSON' },
  { keys: ['v'], does: 'Open the change of a file' },
  { keys: ['f'], does: 'Open the file in the workspace' },
  { keys: ['?'], does: 'Show these keys' },
];

/** Rows that an act looks for. */
export function isWanted(act: TimelineAct, row: Row): boolean {
  switch (act) {
    case 'nextError':
      return isErrorRow(row);
    case 'nextWaiting':
      return isWaitingRow(row);
    case 'nextMessage':
      return row.kind === 'user' || row.kind === 'agent';
    default:
      return false;
  }
}
