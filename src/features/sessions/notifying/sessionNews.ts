import path from 'node:path';
import { readSetting } from '../../../common/settings';
import type { PresentationContext } from '../../../common/text/presentation';
import { isWindowUsed } from '../../../common/windowUse';
import type { SessionReference } from '../../../contributions';
import { type ListedSession, type PanelSession, referenceOf, sessionKey } from '../facts/listedSession';
import type { FollowedSessions } from '../list/followedSessions';
import type { SessionStore } from '../list/sessionStore';
import type { SessionPanels } from '../sessionPanels';
import type { SessionsDependencies } from '../sessionsDependencies';
import { claimNotification, SessionNotifier } from './sessionNotifier';

interface SessionNewsParts extends Pick<SessionsDependencies, 'context' | 'log'> {
  readonly store: SessionStore;
  readonly followed: FollowedSessions;
  readonly panels: SessionPanels;
  readonly presentation: () => PresentationContext;
  readonly onError: (error: unknown) => void;
}

/** Updates the store with news of sessions and notifies the user, once for each, unless the session is on screen. */
export class SessionNews {
  private readonly notifier: SessionNotifier;
  private readonly lastReported = new Map<string, string>();

  constructor(private readonly parts: SessionNewsParts) {
    const { context, log, followed, presentation } = parts;
    const claims = path.join(context.globalStorageUri.fsPath, 'told');
    this.notifier = new SessionNotifier({
      followed,
      isWanted: () => readSetting('managedAgents.sessions.notify'),
      isVisible: reference => this.isVisible(reference),
      claim: (reference, id) => claimNotification(claims, reference, id),
      show: (...news) =>
        import('./showNotice')
          .then(({ showNotice }) => showNotice(...news, presentation()))
          .catch(error => log.error('A message could not be shown', error)),
    });
  }

  polled(reference: SessionReference, listed: ListedSession): void {
    this.consider(reference, listed).catch(this.parts.onError);
  }

  /** Processes the state of an open panel. Before a panel is up to date, its asks are ignored: they may have been answered long ago. */
  take({ connection, sessionId, view, transcript }: PanelSession, isUpToDate: boolean): void {
    const { store, followed, onError } = this.parts;
    const reference = { connection, sessionId };
    if (view.state === 'deleted') {
      store.remove(reference);
      followed.forget(reference).then(undefined, onError);
      return;
    }
    if (!isUpToDate) {
      store.facts.outdate();
      return;
    }
    store.facts.see({ ...reference, view, transcript });
    const listed = store.find(reference);
    const reported = listed && JSON.stringify([listed.state, view.endId, ...listed.asks.map(({ eventId }) => eventId)]);
    if (listed !== undefined && reported !== undefined && this.lastReported.get(sessionKey(reference)) !== reported) {
      this.lastReported.set(sessionKey(reference), reported);
      this.note(reference, listed).catch(onError);
    }
  }

  noteProblems(): void {
    for (const listed of this.parts.store.stuck()) {
      this.notifier.considerProblem(referenceOf(listed), listed).catch(this.parts.onError);
    }
  }

  private isVisible({ connection, sessionId }: SessionReference): boolean {
    const { active } = this.parts.panels;
    return isWindowUsed() && active?.connection === connection && active.sessionId === sessionId;
  }

  private async note(reference: SessionReference, listed: ListedSession): Promise<void> {
    const { followed } = this.parts;
    const isOver = listed.state === 'archived' || listed.state === 'terminated';
    if (!isOver) {
      // Also follows sessions whose panel was restored after a reload.
      await followed.follow(reference, Date.now());
    }
    await this.consider(reference, listed);
    if (isOver) {
      await followed.end(reference);
    }
  }

  private async consider(reference: SessionReference, listed: ListedSession): Promise<void> {
    await this.notifier.considerAsks(reference, listed);
    await this.notifier.considerEnd(reference, listed, this.parts.store.facts.logOf(reference)?.endId);
  }
}
