import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { SessionReference } from '../../../contributions';
import type { ListedSession } from '../facts/listedSession';
import type { OpenAsk } from '../facts/openAsks';
import type { FollowedSessions } from '../list/followedSessions';
import { claimEvent } from '../rules/auditFile';

/** News of a session: new asks (newest first), its end, or a problem. */
export type SessionNotice = { readonly asks: readonly OpenAsk[] } | 'end' | 'problem';

export interface SessionNotifierDependencies {
  readonly followed: FollowedSessions;
  readonly isWanted: () => boolean;
  readonly isVisible: (reference: SessionReference) => boolean;
  /** Returns whether this window notifies about an event. Other windows may follow the same session. */
  readonly claim: (reference: SessionReference, eventId: string) => Promise<boolean>;
  readonly show: (reference: SessionReference, listed: ListedSession, notice: SessionNotice) => void;
}

/** Notifies of news of followed sessions once, even across reloads. News on screen, or while the setting is off, counts as notified. */
export class SessionNotifier {
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly deps: SessionNotifierDependencies) {}

  /** Notifies of new asks. Resolves once they are saved, before they are shown. */
  considerAsks(reference: SessionReference, listed: ListedSession): Promise<void> {
    return this.inTurn(async () => {
      const ids = listed.asks.map(({ eventId }) => eventId);
      const fresh = new Set(await this.deps.followed.noteNews(reference, ids));
      if (!this.isNeeded(reference)) {
        return;
      }
      const asks: ListedSession['asks'][number][] = [];
      for (const ask of listed.asks.filter(({ eventId }) => fresh.has(eventId)).reverse()) {
        if (await this.deps.claim(reference, ask.eventId)) {
          asks.push(ask);
        }
      }
      if (asks.length > 0) {
        this.deps.show(reference, listed, { asks });
      }
    });
  }

  /**
   * Notifies of the end of a turn, unless it ended before the session was followed. `endId` is the ID of the event that ended it, if known.
   */
  considerEnd(reference: SessionReference, listed: ListedSession, endId: string | undefined): Promise<void> {
    return this.inTurn(async () => {
      const { followed } = this.deps;
      if (listed.state === 'running' || listed.state === 'rescheduling' || listed.state === 'waiting') {
        return await followed.noteState(reference);
      }
      const known = listed.rest === undefined || endId === undefined ? [] : [endId];
      // A session that fails and is then terminated counts as one end.
      const ends = listed.state === 'terminated' ? [...known, terminated] : known;
      const ours = followed.find(reference);
      const [first] = ends;
      if (ours === undefined || first === undefined) {
        return;
      }
      const fresh = await followed.noteNews(reference, ends);
      await followed.noteState(reference);
      if (ours.isKnown === true && fresh.length === ends.length) {
        await this.notifyOnce(reference, listed, 'end', first);
      }
    });
  }

  considerProblem(reference: SessionReference, listed: ListedSession): Promise<void> {
    return this.inTurn(async () => {
      const { episode } = listed.problem ?? {};
      const [fresh] = episode === undefined ? [] : await this.deps.followed.noteNews(reference, [episode]);
      if (fresh !== undefined) {
        await this.notifyOnce(reference, listed, 'problem', fresh);
      }
    });
  }

  private async notifyOnce(reference: SessionReference, listed: ListedSession, notice: SessionNotice, eventId: string): Promise<void> {
    if (this.isNeeded(reference) && (await this.deps.claim(reference, eventId))) {
      this.deps.show(reference, listed, notice);
    }
  }

  private isNeeded(reference: SessionReference): boolean {
    return this.deps.isWanted() && !this.deps.isVisible(reference);
  }

  /** Runs calls one after the other, because each reads what the previous one saved. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }
}

/** Event ID used for a termination: a session has only one. */
const terminated = 'session.status_terminated';

/** Age after which a claim is deleted, in milliseconds. */
const maxClaimAge = 7 * 24 * 3_600_000;

/**
 * Returns whether this window notifies about an event: the first one that creates the event's file in the folder does. If the file can't be
 * written, every window does: twice is better than never.
 */
export async function claimNotification(folder: string, reference: SessionReference, eventId: string): Promise<boolean> {
  try {
    await deleteOldClaims(folder);
    return await claimEvent(folder, reference, eventId);
  } catch {
    return true;
  }
}

async function deleteOldClaims(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    // Another window may have deleted it already.
    const found = await stat(file).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > maxClaimAge) {
      await rm(file, { force: true });
    }
  }
}
