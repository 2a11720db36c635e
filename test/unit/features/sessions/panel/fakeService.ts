import type { EventLog, SessionEvent } from '../../../../../src/client/events/eventLog';
import type { EventWatch, WatchOptions, WatchUpdate } from '../../../../../src/client/events/watchUpdates';
import type { ServiceFile } from '../../../../../src/client/resources/files';
import type { Session, Sessions, SessionThread } from '../../../../../src/client/resources/sessions';
import { ServiceError } from '../../../../../src/client/transport/errors';
import type { Timers } from '../../../../../src/common/lists/poller';
import type { SessionService } from '../../../../../src/features/sessions/live/sessionAccess';

/** A watch that delivers the updates of a test. */
export class FakeWatch implements EventWatch {
  readonly updates: WatchUpdate[] = [];
  retries = 0;
  looks = 0;
  private wake: () => void = () => undefined;
  private isOver = false;

  constructor(
    readonly log: EventLog,
    readonly options: WatchOptions,
  ) {
    options.signal.addEventListener('abort', () => this.end());
  }

  get isAborted(): boolean {
    return this.options.signal.aborted;
  }

  retryNow(): void {
    this.retries++;
  }

  lookNow(): void {
    this.looks++;
  }

  /** Delivers updates. Resolves once the session has read the updates. */
  async push(...updates: WatchUpdate[]): Promise<void> {
    this.updates.push(...updates);
    this.wake();
    await settled();
  }

  end(): void {
    this.isOver = true;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchUpdate, void, undefined> {
    for (;;) {
      const next = this.updates.shift();
      if (this.isOver && this.options.signal.aborted) {
        return;
      }
      if (next !== undefined) {
        yield next;
      } else if (this.isOver) {
        return;
      } else {
        await new Promise<void>(resolve => {
          this.wake = resolve;
        });
      }
    }
  }
}

/** Lets pending work continue. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise(resolve => setImmediate(resolve));
  }
}

/** Timers and a clock that a test controls. */
export class FakeTime implements Timers {
  now = 0;
  private readonly waiting = new Map<object, { readonly at: number; readonly callback: () => void }>();

  get count(): number {
    return this.waiting.size;
  }

  set(callback: () => void, delay: number): unknown {
    const handle = {};
    this.waiting.set(handle, { at: this.now + delay, callback });
    return handle;
  }

  clear(handle: unknown): void {
    this.waiting.delete(handle as object);
  }

  async pass(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds;
    for (;;) {
      const due = [...this.waiting].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (due === undefined) {
        break;
      }
      this.waiting.delete(due[0]);
      this.now = Math.max(this.now, due[1].at);
      due[1].callback();
      await settled();
    }
    this.now = end;
  }
}

const refused = { kind: 'not_found', outcome: 'refused', method: 'GET', host: 'lab', status: 404 } as const;

/** A service with one session, whose responses a test can change. */
export class FakeSessions {
  session: Session = { id: 'sesn_1', type: 'session', status: 'idle', title: 'Build' };
  threads: SessionThread[] = [{ id: 'thr_main', type: 'session_thread', parent_thread_id: null }];
  /** Files that the session created. */
  files: ServiceFile[] = [];
  filesError: unknown;
  filesAsked = 0;
  /** Names of the existing vaults, by id. */
  readonly vaultNames = new Map<string, string>();
  readonly vaultsAsked: string[] = [];
  threadsAsked = 0;
  retrieveError: unknown;
  sendError: unknown;
  /** Events of the session, newest first. */
  log: SessionEvent[] = [];
  threadLogs = new Map<string, SessionEvent[]>();
  retrieved = 0;
  /** While true, retrieving the session waits until it is aborted or `goOn` is called. */
  hangs = false;
  goOn: () => void = () => undefined;
  readonly sent: (readonly object[])[] = [];
  /** Abort signals of the calls that send events. */
  readonly signals: (AbortSignal | undefined)[] = [];
  /** Releases the held response to sent events. While set, such responses are held. */
  release: (() => void) | undefined;
  private count = 0;

  get api(): Sessions {
    const absent = async () => {
      throw new Error('not part of this test');
    };
    return {
      create: absent,
      list: absent,
      update: absent,
      archive: absent,
      delete: absent,
      retrieveThread: absent,
      archiveThread: absent,
      listResources: absent,
      addResource: absent,
      retrieveResource: absent,
      rotateToken: absent,
      listFiles: async () => {
        this.filesAsked++;
        if (this.filesError !== undefined) {
          throw this.filesError;
        }
        return { items: this.files, nextCursor: undefined, requestId: undefined };
      },
      removeResource: absent,
      retrieve: async (_id, options) => {
        this.retrieved++;
        if (this.hangs) {
          await new Promise<void>((resolve, reject) => {
            this.goOn = resolve;
            options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
          });
        }
        if (this.retrieveError !== undefined) {
          throw this.retrieveError;
        }
        return { data: this.session, requestId: undefined };
      },
      listThreads: async () => {
        this.threadsAsked++;
        return { items: this.threads, nextCursor: undefined, requestId: undefined };
      },
      send: async (_id, events, options) => {
        this.sent.push(events);
        this.signals.push(options?.signal);
        if (this.release !== undefined) {
          await new Promise<void>(resolve => {
            this.release = resolve;
          });
        }
        if (this.sendError !== undefined) {
          throw this.sendError;
        }
        const stored = events.map(event => ({ ...(event as SessionEvent), id: `stored_${++this.count}`, processed_at: null }));
        return { data: stored, requestId: undefined };
      },
      events: () => this.eventLog(() => this.log),
      threadEvents: (_id, thread) => this.eventLog(() => this.threadLogs.get(thread) ?? []),
    };
  }

  readonly vaults: SessionService['vaults'] = {
    retrieve: async id => {
      this.vaultsAsked.push(id);
      const name = this.vaultNames.get(id);
      if (name === undefined) {
        throw new ServiceError('lab answered 404', { ...refused, path: `/v1/vaults/${id}` });
      }
      return { data: { id, type: 'vault', display_name: name }, requestId: undefined };
    },
  };

  private eventLog(newestFirst: () => readonly SessionEvent[]): EventLog {
    return {
      list: async options => ({
        items: options?.order === 'desc' ? newestFirst() : newestFirst().toReversed(),
        nextCursor: undefined,
        requestId: undefined,
      }),
      stream: async () => {
        throw new Error('not part of this test');
      },
    };
  }
}
