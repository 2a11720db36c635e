import type { ServiceFile } from '../../../../client/schemas/files';
import type { Session, SessionThread } from '../../../../client/schemas/sessions';
import type { Sessions } from '../../../../client/serviceClient';
import { ServiceError } from '../../../../client/transport/errors';
import { listAll } from '../../../../client/transport/pagination';
import type { Timers } from '../../../../common/lists/poller';

export interface SessionReaderOptions {
  readonly sessionId: string;
  readonly sessions: () => Promise<Sessions>;
  readonly vaultName: (id: string, signal: AbortSignal) => Promise<string>;
  readonly timers: Timers;
  readonly now: () => number;
  /** Whether it is looked at again by itself from time to time. */
  readonly isShown: () => boolean;
  /** What is known of the session changed. */
  readonly onRead: () => void;
}

/** Milliseconds from an event that may have changed the session object to reading it again, and between two readings. */
const settle = 300;
const shortestPause = 2000;
/** That somebody else archived or deleted a session is told by no event: milliseconds between looks at one that is shown. */
const look = 10_000;
/** Threads and files are read again though the session is as it was: after so many looks. */
const looksBetween = 6;
/** Files that are shown of one session, and vaults that are asked for their names. */
const mostFiles = 100;
const mostVaults = 20;

/** Reads a session, its threads, the files it made and the names of its vaults: soon after something may have changed in them, once for many changes, and now and then. */
export class SessionReader {
  session: Session | undefined;
  threads: readonly SessionThread[] | undefined;
  /** The newest files that it made. */
  files: readonly ServiceFile[] = [];
  /** By their ids; of those that could not be asked, the id itself. */
  readonly vaultNames = new Map<string, string>();
  /** It was there, and is no more. */
  isDeleted = false;
  private readonly lifetime = new AbortController();
  private timer: unknown;
  /** When the timer rings. */
  private dueAt = Number.POSITIVE_INFINITY;
  private lastRead = Number.NEGATIVE_INFINITY;
  /** When it was asked to read soon while it was about to. */
  private askedMeanwhile = Number.NEGATIVE_INFINITY;
  private isReading = false;
  private looks = 0;
  /** The service has no such list: it is not asked for it again. */
  private hasNoFiles = false;
  /** It was not found the last time; a gateway can say that once, so that it is asked again before it is believed. */
  private isMissed = false;

  constructor(private readonly options: SessionReaderOptions) {}

  /** What happens again and again puts nothing off. */
  readSoon(): void {
    const now = this.options.now();
    const at = Math.max(now + settle, this.lastRead + shortestPause);
    if (at >= this.dueAt) {
      this.askedMeanwhile = now;
    } else if (!this.lifetime.signal.aborted) {
      this.readIn(at - now, false);
    }
  }

  /** Takes back what was to be read. */
  rest(): void {
    if (this.timer !== undefined) {
      this.options.timers.clear(this.timer);
      this.timer = undefined;
      this.dueAt = Number.POSITIVE_INFINITY;
    }
  }

  dispose(): void {
    this.lifetime.abort();
    this.rest();
  }

  private async read(isLook = false): Promise<void> {
    const { now, isShown } = this.options;
    this.rest();
    if (this.isReading) {
      this.readSoon();
      return;
    }
    this.lastRead = now();
    // What just happened may come to be told a moment later.
    const isEarly = this.lastRead - this.askedMeanwhile < settle;
    this.isReading = true;
    this.looks = isLook ? this.looks + 1 : 0;
    await this.readOnce(isLook && this.looks % looksBetween !== 0);
    this.isReading = false;
    if (isEarly) {
      this.readSoon();
    }
    if (isShown() && this.timer === undefined && !this.isDeleted && !this.lifetime.signal.aborted) {
      this.readIn(look, true);
    }
  }

  private readIn(delay: number, isLook: boolean): void {
    this.rest();
    this.dueAt = this.options.now() + delay;
    this.timer = this.options.timers.set(() => void this.read(isLook), delay);
  }

  /** `isBrief`: what belongs to a session is left alone where the session itself is as it was. */
  private async readOnce(isBrief: boolean): Promise<void> {
    const { signal } = this.lifetime;
    try {
      const sessions = await this.options.sessions();
      const { data } = await sessions.retrieve(this.options.sessionId, { signal });
      const isKnown = JSON.stringify(data) === JSON.stringify(this.session);
      this.session = data;
      this.isMissed = false;
      if (isBrief && isKnown) {
        return;
      }
      this.options.onRead();
      this.threads = await this.readThreads(sessions);
      this.options.onRead();
      this.files = await this.readFiles(sessions);
      this.options.onRead();
      await this.readVaultNames(data.vault_ids ?? []);
    } catch (error) {
      // How things stand is told by the watch; only that a session is gone can be learned here first.
      if (!signal.aborted && this.session !== undefined && error instanceof ServiceError && error.status === 404) {
        if (!this.isMissed) {
          this.isMissed = true;
          this.readSoon();
          return;
        }
        this.isDeleted = true;
        this.options.onRead();
      }
    }
  }

  /** The threads as the service lists them; those known before where it does not. */
  private async readThreads(sessions: Sessions): Promise<readonly SessionThread[] | undefined> {
    const threads: SessionThread[] = [];
    try {
      // Threads that the list leaves out are known by their events.
      const bounds = { signal: this.lifetime.signal, onCut: () => {} };
      for await (const thread of listAll(page => sessions.listThreads(this.options.sessionId, page), bounds)) {
        threads.push(thread);
      }
      return threads;
    } catch {
      return this.threads;
    }
  }

  /** The names of vaults that were not asked for yet. */
  private async readVaultNames(ids: readonly string[]): Promise<void> {
    const { signal } = this.lifetime;
    for (const id of ids.slice(0, mostVaults).filter(id => !this.vaultNames.has(id))) {
      try {
        this.vaultNames.set(id, (await this.options.vaultName(id, signal)) || id);
      } catch (error) {
        // What is gone, or not for this key, is not asked for again.
        if (!(error instanceof ServiceError) || error.status === undefined || error.status >= 429) {
          return;
        }
        this.vaultNames.set(id, id);
      }
      this.options.onRead();
    }
  }

  /** The files it made; those known before where the service does not tell now. */
  private async readFiles(sessions: Sessions): Promise<readonly ServiceFile[]> {
    if (this.hasNoFiles) {
      return this.files;
    }
    try {
      const { signal } = this.lifetime;
      const { items } = await sessions.listFiles(this.options.sessionId, { limit: mostFiles, signal });
      // A service that does not know the filter answers with all files there are.
      return items.filter(({ scope }) => scope?.id === this.options.sessionId);
    } catch (error) {
      this.hasNoFiles = error instanceof ServiceError && error.status !== undefined && error.status < 429;
      return this.files;
    }
  }
}
