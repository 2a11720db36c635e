import path from 'node:path';
import { readSetting } from '../../../common/settings';
import type { PresentationContext } from '../../../common/text/presentation';
import { isWindowUsed } from '../../../common/windowUse';
import type { SessionReference } from '../../../contributions';
import { AskNotifier } from './askNotifier';
import { EndNotifier } from './endNotifier';
import { NotificationClaims } from './notificationClaims';
import { ProgressNotifier } from './progressNotifier';
import type { PanelSession } from '../facts/listedSession';
import { asksOfView, type ListedSession } from '../facts/listedSession';
import { sessionKey } from '../facts/sessionKey';
import type { SessionPanels } from '../sessionPanels';
import type { SessionsDependencies } from '../sessionsDependencies';
import type { FollowedSessions } from '../list/followedSessions';
import type { ReadMarks } from '../list/readMarks';
import { nameOf } from '../list/sessionPresentation';
import type { SessionStore } from '../list/sessionStore';

interface SessionNewsParts {
  readonly store: SessionStore;
  readonly followed: FollowedSessions;
  readonly asks: AskNotifier;
  readonly ends: EndNotifier;
  readonly problems: ProgressNotifier;
  readonly marks: ReadMarks;
  readonly isVisible: (reference: SessionReference) => boolean;
  readonly onError: (error: unknown) => void;
}

/** Updates the store with news of sessions and notifies the user, once for each. */
export class SessionNews {
  private readonly lastReported = new Map<string, string>();

  constructor(private readonly parts: SessionNewsParts) {}

  /** Called after each poll of a followed session. */
  polled(reference: SessionReference, listed: ListedSession): void {
    const { asks, ends, store, onError } = this.parts;
    asks.consider(reference, nameOf(listed), listed.asks).catch(onError);
    ends.consider(reference, listed, store.facts.logOf(reference)?.endId).catch(onError);
  }

  /** Takes the state of an open panel. A panel that is still reading the history may show asks that were answered long ago. */
  take({ connection, sessionId, view, transcript }: PanelSession, isUpToDate: boolean): void {
    const { store, followed, onError } = this.parts;
    const reference = { connection, sessionId };
    if (view.state === 'deleted') {
      store.remove(reference);
      followed.forget(reference).then(undefined, onError);
      return;
    }
    if (!isUpToDate) {
      store.touch();
      return;
    }
    const key = sessionKey(reference);
    store.see({ ...reference, view, transcript });
    this.markRead(reference);
    const asks = asksOfView(view);
    const told = JSON.stringify([view.state, view.endId, ...asks.map(({ eventId }) => eventId)]);
    if (this.lastReported.get(key) !== told) {
      this.lastReported.set(key, told);
      this.note(reference, view.state, view.title || view.firstWords || sessionId, asks).catch(onError);
    }
  }

  /** Notifies of the followed sessions that seem to get nowhere. */
  noteProblems(): void {
    const { store, problems, onError } = this.parts;
    for (const listed of store.stuck()) {
      const reference = { connection: listed.connection, sessionId: listed.session.id };
      if (listed.problem !== undefined) {
        problems.consider(reference, listed, listed.problem).catch(onError);
      }
    }
  }

  /** Marks the session that is on screen as read. */
  markRead(reference: SessionReference): void {
    const { store, marks, isVisible } = this.parts;
    if (isVisible(reference) && marks.mark(reference, store.find(reference)?.session.updated_at)) {
      store.touch();
    }
  }

  private async note(reference: SessionReference, state: string, name: string, open: ListedSession['asks']): Promise<void> {
    const { followed, asks, ends, store } = this.parts;
    const isOver = state === 'archived' || state === 'terminated';
    if (!isOver) {
      // This includes sessions whose panel was restored after a reload.
      await followed.follow(reference, Date.now());
      await asks.consider(reference, toName(name), open);
    }
    const listed = store.find(reference);
    if (listed !== undefined) {
      await ends.consider(reference, listed, store.facts.logOf(reference)?.endId);
    }
    if (isOver) {
      await followed.end(reference);
    }
  }
}

/** Creates the notifications. They respect the settings, and are not shown for a session that is on screen. */
export function createSessionNews(
  { context, log }: SessionsDependencies,
  of: Pick<SessionNewsParts, 'store' | 'followed' | 'onError'> & {
    readonly panels: SessionPanels;
    readonly marks: ReadMarks;
    readonly presentation: () => PresentationContext;
  },
): SessionNews {
  const { store, followed, panels, marks, presentation, onError } = of;
  const common = {
    followed,
    isWanted: () => readSetting('managedAgents.sessions.notify'),
    isVisible: ({ connection, sessionId }: SessionReference) =>
      isWindowUsed() && panels.active?.connection === connection && panels.active.sessionId === sessionId,
  };
  const notShown = (error: unknown) => log.error('A message could not be shown', error);
  const claims = new NotificationClaims(path.join(context.globalStorageUri.fsPath, 'told'), () => Date.now());
  const asks = new AskNotifier({
    ...common,
    tell: (reference, name, open) =>
      import('./notifyAsks').then(({ notifyAsks }) => notifyAsks(reference, name, open, presentation())).catch(notShown),
  });
  const once = { ...common, claim: (reference: SessionReference, id: string) => claims.claim(reference, id) };
  const ends = new EndNotifier({
    ...once,
    tell: (reference, listed) =>
      import('./notifyEnd').then(({ notifyEnd }) => notifyEnd(reference, listed, presentation())).catch(notShown),
  });
  const problems = new ProgressNotifier({
    ...once,
    tell: (reference, listed) =>
      import('./notifyProblem').then(({ notifyProblem }) => notifyProblem(reference, listed, presentation())).catch(notShown),
  });
  return new SessionNews({ store, followed, asks, ends, problems, marks, isVisible: common.isVisible, onError });
}

function toName(title: string): string {
  return nameOf({ name: title, session: { id: title, type: 'session' } });
}
