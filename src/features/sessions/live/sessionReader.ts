import type { ServiceFile } from '../../../client/resources/files';
import type { Session, Sessions, SessionThread } from '../../../client/resources/sessions';
import { ServiceError } from '../../../client/transport/errors';
import type { Timers } from '../../../common/lists/poller';
import { readThreads } from '../facts/wholeLog';
import { isRefusedForGood } from '../isRefusedForGood';
import type { SessionService } from './sessionAccess';

interface SessionReaderOptions {
  readonly sessionId: string;
  readonly service: () => Promise<SessionService>;
  readonly timers: Timers;
  readonly now: () => number;
  readonly isShown: () => boolean;
  readonly onRead: () => void;
}

/** Delay from a relevant event to reading the session again, and minimum interval between two reads, in milliseconds. */
const settle = 300;
const shortestPause = 2000;
/** Poll interval while the session is visible, in milliseconds. No event reports that somebody else archived or deleted the session. */
const pollDelay = 10_000;
/** Number of polls after which threads and files are read again even if the session object is unchanged. */
const pollsBetween = 6;
/** Maximum number of files shown per session, and of vaults whose names are read. */
const maxFiles = 100;
const maxVaults = 20;

/** Reads a session, its threads, files and vault names. Reads soon after changes, and at intervals while the session is shown. */
export class SessionReader {
  session: Session | undefined;
  threads: readonly SessionThread[] | undefined;
  /** Newest files that the session created. */
  files: readonly ServiceFile[] = [];
  /** Names by vault ID. The ID itself if the name could not be read. */
  readonly vaultNames = new Map<string, string>();
  /** True if the session existed and is gone. */
  isDeleted = false;
  private readonly lifetime = new AbortController();
  private timer: unknown;
  private dueAt = Number.POSITIVE_INFINITY;
  private lastRead = Number.NEGATIVE_INFINITY;
  /** Time of the last `readSoon` call while a read was already due. */
  private askedMeanwhile = Number.NEGATIVE_INFINITY;
  private isReading = false;
  private reads = 0;
  /** True if the service refused to list files. The list is then not requested again. */
  private hasNoFiles = false;
  /** True if the last request didn't find the session. A gateway can report this by mistake, so the session is requested again. */
  private isMissed = false;

  constructor(private readonly options: SessionReaderOptions) {}

  /** Schedules a read. Repeated calls don't postpone the read. */
  readSoon(): void {
    const now = this.options.now();
    const at = Math.max(now + settle, this.lastRead + shortestPause);
    if (at >= this.dueAt) {
      this.askedMeanwhile = now;
    } else if (!this.lifetime.signal.aborted) {
      this.readIn(at - now, false);
    }
  }

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

  private async read(isPoll = false): Promise<void> {
    const { now, isShown } = this.options;
    this.rest();
    if (this.isReading) {
      this.readSoon();
      return;
    }
    this.lastRead = now();
    // A change shortly before the read may be missing from the response.
    const isEarly = this.lastRead - this.askedMeanwhile < settle;
    this.isReading = true;
    this.reads = isPoll ? this.reads + 1 : 0;
    await this.readOnce(isPoll && this.reads % pollsBetween !== 0);
    this.isReading = false;
    if (isEarly) {
      this.readSoon();
    }
    if (isShown() && this.timer === undefined && !this.isDeleted && !this.lifetime.signal.aborted) {
      this.readIn(pollDelay, true);
    }
  }

  private readIn(delay: number, isPoll: boolean): void {
    this.rest();
    this.dueAt = this.options.now() + delay;
    this.timer = this.options.timers.set(() => void this.read(isPoll), delay);
  }

  /** Reads everything. With `isBrief`, threads, files and vaults are skipped if the session object is unchanged. */
  private async readOnce(isBrief: boolean): Promise<void> {
    const { signal } = this.lifetime;
    try {
      const { sessions, vaults } = await this.options.service();
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
      await this.readVaultNames(vaults, data.vault_ids ?? []);
    } catch (error) {
      // The watch reports other problems. A deletion may be noticed here first.
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

  /**
   * Returns the threads that the service lists, or the known threads if the request fails. Threads beyond the limit are known from events.
   */
  private async readThreads(sessions: Sessions): Promise<readonly SessionThread[] | undefined> {
    const { signal } = this.lifetime;
    const threads = await readThreads(sessions, this.options.sessionId, signal, { onCut: () => undefined }).catch(() => []);
    return threads.length === 0 ? this.threads : threads;
  }

  private async readVaultNames(vaults: SessionService['vaults'], ids: readonly string[]): Promise<void> {
    const { signal } = this.lifetime;
    for (const id of ids.slice(0, maxVaults).filter(id => !this.vaultNames.has(id))) {
      try {
        this.vaultNames.set(id, (await vaults.retrieve(id, { signal })).data.display_name || id);
      } catch (error) {
        if (!isRefusedForGood(error)) {
          return;
        }
        this.vaultNames.set(id, id);
      }
      this.options.onRead();
    }
  }

  /** Returns the session's files, or the known files if reading fails. */
  private async readFiles(sessions: Sessions): Promise<readonly ServiceFile[]> {
    if (this.hasNoFiles) {
      return this.files;
    }
    try {
      const { signal } = this.lifetime;
      const { items } = await sessions.listFiles(this.options.sessionId, { limit: maxFiles, signal });
      // A service that does not know the filter returns all files.
      return items.filter(({ scope }) => scope?.id === this.options.sessionId);
    } catch (error) {
      this.hasNoFiles = isRefusedForGood(error);
      return this.files;
    }
  }
}
