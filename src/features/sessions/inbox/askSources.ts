import type { Disposable, Event } from 'vscode';
import type { Clock } from '../../../common/clock';
import { combine } from '../../../common/disposables';
import { Emitter } from '../../../common/emitter';
import { Poller, type Timers } from '../../../common/lists/poller';
import { describeError } from '../../../common/text/describeError';
import type { SessionReference } from '../../../contributions';
import { sessionKey } from '../facts/listedSession';
import type { Needs } from '../facts/needs';
import type { AskSource } from '../live/conversation';
import type { AskedSession } from './askedSession';

/** Source of a session without an open panel, read by the inbox itself. */
export interface ReadSource extends AskSource, Disposable {
  readonly session: AskedSession;
}

/** Source with the error of its last read. `isRead` is true once its asks are known. */
export interface InboxSource extends AskSource {
  readonly problem: string | undefined;
  readonly isRead: boolean;
}

interface AskSourcesOptions {
  readonly waiting: Pick<Needs, 'all' | 'onDidChange'>;
  /**
   * Returns the source of a session's open panel if the panel is in sync. The source has the whole log. Answers sent through the source
   * appear in the panel.
   */
  readonly open: (reference: SessionReference) => AskSource | undefined;
  /** Fires when the content or sync state of an open panel changed. */
  readonly onDidOpen: Event<unknown>;
  readonly create: (reference: SessionReference, onStale: () => void) => ReadSource;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  readonly onRead: (requests: number) => void;
  readonly timers?: Timers;
}

interface Held extends InboxSource {
  /** Source of the session's open panel. `undefined` if the session is read here, by `own`. */
  readonly open: AskSource | undefined;
  readonly own: ReadSource | undefined;
  readonly subscription: Disposable;
  /** Time of the next read, in monotonic milliseconds. */
  dueAt: number;
  isReading: boolean;
  problem: string | undefined;
  isRead: boolean;
}

/** Milliseconds between two reads of the session on the card, between two reads of another session, and after a failure. */
const shownInterval = 3_000;
const otherInterval = 60_000;
const failureInterval = 15_000;
/** Maximum number of sessions that are read at once, in addition to the session on the card. */
const atOnce = 4;
/** Number of requests per read: one for the session, and one for a page of its events. */
const requestsOfReading = 2;

/** Sources of the sessions in the inbox: open panels, and sessions that are read here while the inbox is visible. */
export class AskSources implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly held = new Map<string, Held>();
  private readonly poller: Poller;
  private readonly subscription: Disposable;
  private isVisible = false;
  /** Session on the card. If `isQuestion`, the session is read even if it has no open asks. */
  private shown: { readonly key: string; readonly reference: SessionReference; readonly isQuestion: boolean } | undefined;

  constructor(private readonly options: AskSourcesOptions) {
    this.poller = new Poller(async () => this.startReads(), options.timers);
    this.subscription = combine(
      options.waiting.onDidChange(() => this.sync()),
      options.onDidOpen(() => this.sync()),
    );
  }

  all(): readonly InboxSource[] {
    return [...this.held.values()];
  }

  get isRead(): boolean {
    return [...this.held].every(([key, held]) => this.isQuestion(key) || held.isRead || held.problem !== undefined);
  }

  /** Errors of the sources that have open asks and were never read, one per source. */
  get unread(): readonly string[] {
    return [...this.held].flatMap(([key, held]) => (held.isRead || this.isQuestion(key) ? [] : (held.problem ?? [])));
  }

  find(reference: SessionReference): InboxSource | undefined {
    return this.held.get(sessionKey(reference));
  }

  /** Sets whether the inbox is visible. Sources are read only while it is visible. */
  setVisible(isVisible: boolean): void {
    this.isVisible = isVisible;
    if (isVisible) {
      this.sync();
    }
  }

  /** Sets the session on the card, which is read more often. If `isQuestion`, the session is read even if it has no open asks. */
  setShown(reference: SessionReference | undefined, isQuestion = false): void {
    const before = this.shown;
    const key = reference && sessionKey(reference);
    this.shown = reference && { key: sessionKey(reference), reference, isQuestion };
    if ((before?.isQuestion === true || isQuestion) && (before?.key !== key || before?.isQuestion !== isQuestion)) {
      this.sync();
    }
    if (key !== before?.key) {
      this.readWithin(key, shownInterval);
    }
  }

  /** Adds sources of sessions with new asks, and schedules reads of sessions whose asks changed. */
  sync(): void {
    const now = this.options.clock.monotonic();
    const waiting = new Map(this.options.waiting.all().map(session => [sessionKey(session), session]));
    if (this.shown?.isQuestion === true) {
      this.hold(this.shown.key, this.shown.reference);
    }
    for (const [key, { connection, sessionId, asks }] of waiting) {
      const held = this.hold(key, { connection, sessionId });
      const known = new Set(held.session.view.asks.map(({ eventId }) => eventId));
      if (held.own !== undefined && !(asks.length === known.size && asks.every(({ eventId }) => known.has(eventId)))) {
        held.dueAt = Math.min(held.dueAt, now);
      }
    }
    for (const [key, held] of this.held) {
      const isOpen = this.options.open(held.session.reference) === held.open;
      if (held.own === undefined && !isOpen && !waiting.has(key) && !this.isQuestion(key)) {
        this.drop(key);
      } else if (!waiting.has(key)) {
        held.dueAt = Math.min(held.dueAt, now);
      }
    }
    this.changed.fire();
    this.go();
  }

  /** Removes the sources that no longer have open asks. Called after the desk has reported them. */
  prune(): void {
    const waiting = new Set(this.options.waiting.all().map(session => sessionKey(session)));
    for (const [key, held] of this.held) {
      if (!waiting.has(key) && !this.isQuestion(key) && held.session.view.asks.length === 0 && held.isRead) {
        this.drop(key);
      }
    }
  }

  dispose(): void {
    this.poller.dispose();
    this.subscription.dispose();
    for (const key of [...this.held.keys()]) {
      this.drop(key);
    }
    this.changed.dispose();
  }

  private isQuestion(key: string): boolean {
    return this.shown?.isQuestion === true && this.shown.key === key;
  }

  private hold(key: string, reference: SessionReference): Held {
    const open = this.options.open(reference);
    const known = this.held.get(key);
    if (known !== undefined && (open === undefined ? known.own !== undefined : known.open === open)) {
      return known;
    }
    this.drop(key);
    const own = open === undefined ? this.options.create(reference, () => this.readWithin(key, 0)) : undefined;
    const { session, actions } = open ?? (own as ReadSource);
    const held: Held = {
      ...{ session, actions, open, own, problem: undefined, isRead: own === undefined, isReading: false },
      subscription: session.onDidChange(() => this.changed.fire()),
      dueAt: this.options.clock.monotonic(),
    };
    this.held.set(key, held);
    return held;
  }

  /** Schedules the next read of a source within some milliseconds. */
  private readWithin(key: string | undefined, milliseconds: number): void {
    const held = this.held.get(key ?? '');
    if (held !== undefined) {
      held.dueAt = Math.min(held.dueAt, this.options.clock.monotonic() + milliseconds);
      this.go();
    }
  }

  private drop(key: string): void {
    const held = this.held.get(key);
    this.held.delete(key);
    held?.subscription.dispose();
    held?.own?.dispose();
  }

  private go(): void {
    if (this.isVisible) {
      void this.poller.trigger();
    }
  }

  /** Starts the due reads. The session on the card is read even if other reads hang. Returns the delay until the next read. */
  private startReads(): number | undefined {
    if (!this.isVisible) {
      return undefined;
    }
    const now = this.options.clock.monotonic();
    const resting = [...this.held].filter(([, { own, isReading }]) => own !== undefined && !isReading);
    const due = resting.filter(([, { dueAt }]) => dueAt <= now).sort(([, first], [, second]) => first.dueAt - second.dueAt);
    let free = atOnce - [...this.held].filter(([key, { isReading }]) => isReading && key !== this.shown?.key).length;
    for (const [key, held] of due) {
      if (key === this.shown?.key || free > 0) {
        free -= key === this.shown?.key ? 0 : 1;
        void this.read(key, held);
      }
    }
    const later = resting.filter(([, { dueAt }]) => dueAt > now).map(([, { dueAt }]) => dueAt);
    return later.length === 0 ? undefined : Math.min(...later) - now;
  }

  private async read(key: string, held: Held): Promise<void> {
    const { clock, warn, onRead } = this.options;
    onRead(requestsOfReading);
    // A change during the read schedules another read.
    held.dueAt = Number.POSITIVE_INFINITY;
    held.isReading = true;
    let pause = key === this.shown?.key ? shownInterval : otherInterval;
    try {
      await held.own?.session.read();
      held.problem = undefined;
      held.isRead = true;
    } catch (error) {
      pause = failureInterval;
      const problem = describeError(error);
      if (this.held.get(key) === held && problem !== held.problem) {
        held.problem = problem;
        warn(`Could not read the pending approvals of session ${held.session.reference.sessionId}: ${problem}`);
      }
    }
    held.isReading = false;
    if (this.held.get(key) === held) {
      held.dueAt = Math.min(held.dueAt, clock.monotonic() + pause);
      this.changed.fire();
    }
    this.go();
  }
}
