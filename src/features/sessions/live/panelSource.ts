import type { Disposable, Event } from 'vscode';
import type { RowSplice } from '../../../shared/session/rows/rows';
import type { ConnectionView } from '../../../shared/session/sessionProtocol';
import type { ServiceObject } from '../../../shared/session/sessionSource';
import type { SessionView } from '../../../shared/session/sessionView';
import type { Transcript } from '../../../shared/session/transcript';

/** A change of a panel's content. `thread` is '' for the session's own log. */
export type SourceChange =
  | { readonly type: 'rows'; readonly thread: string; readonly splices: readonly RowSplice[] }
  | { readonly type: 'text'; readonly thread: string; readonly key: string; readonly part: number; readonly text: string }
  /** The view may have changed. */
  | { readonly type: 'view' }
  | { readonly type: 'connection' };

/** Content of a panel: a watched session, or one that was exported to a file. */
export interface PanelSource extends Disposable {
  readonly isReplay: boolean;
  readonly canWrite: boolean;
  /** Name and host of the connection, or name of the file. */
  readonly name: string;
  /** The same object until something in it changes. */
  readonly view: SessionView;
  /** Connection state of the displayed thread. */
  readonly connection: ConnectionView;
  readonly onDidChange: Event<SourceChange>;
  /** Session and threads as the service last returned them, if it did. */
  readonly described: { readonly session?: ServiceObject; readonly threads?: readonly ServiceObject[] };
  /** Opened threads, the session's own log first. */
  readonly openThreads: readonly string[];
  /** Returns the transcript of an opened thread. */
  transcript(thread: string): Transcript | undefined;
  /** Shows a thread: reads its log, and watches it if possible. */
  openThread(thread: string): void;
  /** Returns the state after an event of the session's own log. */
  viewAt(seq: number): SessionView;
}

/**
 * Returns the splices from one transcript to its replacement. Unchanged rows are not sent again. If the old rows are the end of the new
 * ones, they stay in place, so that readers are not disturbed.
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
  // Adjacent splices would be joined, and then rows would be removed before they are added again. So the first row comes last.
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

/** Caches a value that is computed again after `outdate`. Returns the same object as long as its JSON is the same. */
export class CachedValue<T> {
  private cached: { readonly value: T; readonly text: string } | undefined;
  private isOutdated = true;

  constructor(private readonly make: () => T) {}

  get current(): T {
    let { cached } = this;
    if (cached === undefined || this.isOutdated) {
      this.isOutdated = false;
      const value = this.make();
      const text = JSON.stringify(value);
      cached = text === cached?.text ? cached : { value, text };
      this.cached = cached;
    }
    return cached.value;
  }

  outdate(): void {
    this.isOutdated = true;
  }
}
