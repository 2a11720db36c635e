import type { Disposable, Event } from 'vscode';
import type { RowSplice } from '../../../../shared/session/rows/rows';
import type { ConnectionView } from '../../../../shared/session/sessionProtocol';
import type { ServiceObject } from '../../../../shared/session/sessionSource';
import type { SessionView } from '../../../../shared/session/sessionView';
import type { Transcript } from '../../../../shared/session/transcript';

/** What changed in what a panel shows. `thread` is '' for the session's own log. */
export type SourceChange =
  | { readonly type: 'rows'; readonly thread: string; readonly splices: readonly RowSplice[] }
  | { readonly type: 'text'; readonly thread: string; readonly key: string; readonly part: number; readonly text: string }
  /** The view may have changed. */
  | { readonly type: 'view' }
  | { readonly type: 'connection' };

/** What a panel shows: a session that is watched, or one that was exported to a file. */
export interface PanelSource extends Disposable {
  readonly isReplay: boolean;
  readonly canWrite: boolean;
  /** Name of the connection and its host; of a file its name. */
  readonly name: string;
  /** The same object for as long as nothing in it changes. */
  readonly view: SessionView;
  /** Of the thread that is shown. */
  readonly connection: ConnectionView;
  readonly onDidChange: Event<SourceChange>;
  /** Session and threads as the service gave them last, as far as it did. */
  readonly described: { readonly session?: ServiceObject; readonly threads?: readonly ServiceObject[] };
  /** Threads that were opened, the session's own log first. */
  readonly openThreads: readonly string[];
  /** Transcript of a thread that was opened. */
  transcript(thread: string): Transcript | undefined;
  /** Shows a thread: reads its log, and watches it where there is something to watch. */
  openThread(thread: string): void;
  /** The state after an event of the session's own log. */
  viewAt(seq: number): SessionView;
}

/**
 * How a transcript that took the place of another differs, as splices; rows that stayed as they were are not sent again. Where the
 * other one was the end of this one, its rows keep their places: whoever reads there is not disturbed.
 */
export function differenceOf(before: Transcript['rows'], after: Transcript['rows']): readonly RowSplice[] {
  let at = 0;
  while (at < before.length && at < after.length && isSame(before[at], after[at])) {
    at++;
  }
  if (at === before.length && at === after.length) {
    return [];
  }
  let kept = 0;
  while (kept < before.length - at && kept < after.length - at && before.at(-1 - kept)?.key === after.at(-1 - kept)?.key) {
    kept++;
  }
  const end = after.length - kept;
  const splices: RowSplice[] = [{ at, remove: before.length - kept - at, rows: after.slice(at, end) }];
  // What touches an earlier splice becomes part of it, and then rows would leave before they come again: the first comes last.
  if (kept > 1) {
    splices.push({ at: end + 1, remove: kept - 1, rows: after.slice(end + 1) });
  }
  if (kept > 0) {
    splices.push({ at: end, remove: 1, rows: after.slice(end, end + 1) });
  }
  return splices.filter(({ remove, rows }) => remove > 0 || rows.length > 0);
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) {
    return true;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return false;
  }
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every(key => isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
  );
}
