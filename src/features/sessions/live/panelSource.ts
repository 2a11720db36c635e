import type { Disposable, Event } from 'vscode';
import type { Translate } from '../../../common/text/translate';
import type { Row } from '../../../shared/session/rows/rows';
import type { ConnectionView } from '../../../shared/session/sessionProtocol';
import type { SessionView } from '../../../shared/session/sessionView';
import type { Transcript } from '../../../shared/session/transcript';
import type { ServiceObject } from '../facts/sessionSource';

/** A change of a panel's content. `thread` is '' for the session's own log. */
export type SourceChange = { readonly type: 'rows'; readonly thread: string } | { readonly type: 'view' } | { readonly type: 'connection' };

/** Content of a panel: a watched session, or a session that was exported to a file. */
export interface PanelSource extends Disposable {
  readonly isReplay: boolean;
  readonly canWrite: boolean;
  /** Name and host of the connection, or name of the file. */
  readonly name: string;
  /** View of the session. The object stays the same until its content changes. */
  readonly view: SessionView;
  readonly connection: ConnectionView;
  readonly onDidChange: Event<SourceChange>;
  /** Session and threads from the latest responses. Missing before the first response. */
  readonly described: { readonly session?: ServiceObject; readonly threads?: readonly ServiceObject[] };
  /** Opened threads, the session's own log first. */
  readonly openThreads: readonly string[];
  transcript(thread: string): Transcript | undefined;
  /** Returns the rows of a thread. In a replay, returns only the rows up to the replay's position. */
  rows(thread: string): readonly Row[] | undefined;
  /** Shows a thread. Reads the thread's log, and watches the log if possible. */
  openThread(thread: string): void;
  /** Shows a log as it was after event `seq`. Only in a replay. */
  showAt?(thread: string, seq: number): void;
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

/** Translates the extension's own texts in a view from English. */
export function translatedView(view: SessionView, t: Translate): SessionView {
  return {
    ...view,
    threads: view.threads.map(thread => (thread.isPrimary ? { ...thread, name: t('Main') } : thread)),
    ...(view.whyNot === undefined ? {} : { whyNot: t(view.whyNot) }),
  };
}
