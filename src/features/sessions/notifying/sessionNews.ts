import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { readSetting } from '../../../common/settings';
import type { PresentationContext } from '../../../common/text/presentation';
import { isWindowUsed } from '../../../common/windowUse';
import type { SessionReference } from '../../../contributions';
import { describeProgress, isRunning, isTrouble } from '../../../shared/session/facts/sessionState';
import { type ListedSession, type PanelSession, referenceOf, sessionKey } from '../facts/listedSession';
import type { OpenAsk } from '../facts/openAsks';
import type { FollowedSessions } from '../list/followedSessions';
import { describeAsk, describeEnd, nameOf } from '../list/sessionPresentation';
import type { SessionStore } from '../list/sessionStore';
import { claimEvent } from '../rules/auditFile';
import type { SessionPanels } from '../sessionPanels';
import type { SessionsDependencies } from '../sessionsDependencies';

interface SessionNewsParts extends Pick<SessionsDependencies, 'context' | 'log'> {
  readonly store: SessionStore;
  readonly followed: FollowedSessions;
  readonly panels: SessionPanels;
  readonly presentation: () => PresentationContext;
  readonly onError: (error: unknown) => void;
}

/** Updates the store with news of sessions and notifies the user once of each event, unless the session is on screen. */
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
      claim: (reference, ids) => claimNotifications(claims, reference, ids),
      show: (...news) => void showNotice(...news, presentation()).catch(error => log.error('A message could not be shown', error)),
    });
  }

  polled(reference: SessionReference, listed: ListedSession): void {
    this.consider(reference, listed).catch(this.parts.onError);
  }

  /**
   * Processes the state of an open panel. Before a panel is up to date, its asks are ignored, because they may have been answered long ago.
   */
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
    for (const listed of this.parts.store.all().filter(({ problem }) => problem !== undefined)) {
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

/** News of a session: new asks (newest first), its end, or a problem. */
type SessionNotice = { readonly asks: readonly OpenAsk[] } | 'end' | 'problem';

interface SessionNotifierDependencies {
  readonly followed: FollowedSessions;
  readonly isWanted: () => boolean;
  readonly isVisible: (reference: SessionReference) => boolean;
  /** Returns the events about which this window notifies. Other windows may follow the same session. */
  readonly claim: (reference: SessionReference, eventIds: readonly string[]) => Promise<readonly string[]>;
  readonly show: (reference: SessionReference, listed: ListedSession, notice: SessionNotice) => void;
}

/**
 * Notifies the user about followed sessions, once per event, even across reloads. Events on screen, or while the setting is off, count as
 * notified.
 */
export class SessionNotifier {
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly deps: SessionNotifierDependencies) {}

  /** Notifies of new asks. Resolves once they are saved, before they are shown. */
  considerAsks(reference: SessionReference, listed: ListedSession): Promise<void> {
    return this.inTurn(async () => {
      const known = listed.asks.map(({ eventId }) => eventId);
      const fresh = new Set(await this.deps.followed.noteNews(reference, known));
      const ids = known.filter(id => fresh.has(id)).reverse();
      if (ids.length === 0 || !this.isNeeded(reference)) {
        return;
      }
      const claimed = new Set(await this.deps.claim(reference, ids));
      const asks = listed.asks.filter(({ eventId }) => claimed.has(eventId)).reverse();
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
      if (isRunning(listed.state) || listed.state === 'waiting') {
        return await followed.amend(reference, { isKnown: true });
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
      await followed.amend(reference, { isKnown: true });
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
    if (this.isNeeded(reference) && (await this.deps.claim(reference, [eventId])).length > 0) {
      this.deps.show(reference, listed, notice);
    }
  }

  private isNeeded(reference: SessionReference): boolean {
    return this.deps.isWanted() && !this.deps.isVisible(reference);
  }

  /** Runs calls one after the other, because each call reads what the previous call saved. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }
}

/** Event ID used for a termination. A session has only one termination. */
const terminated = 'session.status_terminated';

/** Age after which a claim is deleted, in milliseconds. */
const maxClaimAge = 7 * 24 * 3_600_000;

/**
 * Returns the events about which this window notifies: those whose file in the folder it creates. If a file can't be written, every window
 * notifies, because two notifications are better than none.
 */
export async function claimNotifications(
  folder: string,
  reference: SessionReference,
  eventIds: readonly string[],
): Promise<readonly string[]> {
  await deleteOldClaims(folder).catch(() => undefined);
  const claimed: string[] = [];
  for (const id of eventIds) {
    if (await claimEvent(folder, reference, id).catch(() => true)) {
      claimed.push(id);
    }
  }
  return claimed;
}

async function deleteOldClaims(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    // Another window may have deleted the file already.
    const found = await stat(file).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > maxClaimAge) {
      await rm(file, { force: true });
    }
  }
}

/** Shows news of a session, with a button that opens it at its newest ask. A session with a problem can also be interrupted. */
async function showNotice(
  reference: SessionReference,
  listed: ListedSession,
  notice: SessionNotice,
  context: PresentationContext,
): Promise<void> {
  const { t } = vscode.l10n;
  const [open, interrupt] = [t('Open'), t('Interrupt')];
  const [name, problem] = [nameOf(listed), notice === 'problem' ? listed.problem : undefined];
  const [ask, ...others] = typeof notice === 'string' ? [] : notice.asks;
  const more = others.length === 0 ? '' : ` ${t('({0} more)', others.length)}`;
  const message =
    problem !== undefined
      ? t('"{0}": {1}', name, describeProgress(problem, context.translate, context.locale))
      : ask !== undefined
        ? `${t('"{0}" needs you: {1}', name, describeAsk(ask, context))}${more}`
        : describeEnd(listed, context);
  const show = problem !== undefined || (notice === 'end' && isTrouble(listed)) ? showWarning : showInformation;
  const chosen = await show(message, ...(problem === undefined ? [open] : [open, interrupt]));
  if (chosen === open) {
    await runCommand('managedAgents.session.open', reference, ask?.eventId);
  } else if (chosen === interrupt) {
    await runCommand('managedAgents.session.interrupt', reference);
  }
}
