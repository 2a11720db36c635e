import assert from 'node:assert/strict';
import { watchEvents } from '../../../src/client/events/eventStream';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { combine } from '../../../src/common/disposables';
import { Emitter } from '../../../src/common/emitter';
import type { Connection } from '../../../src/features/connection/connection';
import type { PanelSession } from '../../../src/features/sessions/facts/listedSession';
import { Needs } from '../../../src/features/sessions/facts/needs';
import { AskedSession } from '../../../src/features/sessions/inbox/askedSession';
import { AskSources } from '../../../src/features/sessions/inbox/askSources';
import { DismissedQuestions } from '../../../src/features/sessions/inbox/dismissedQuestions';
import { InboxDesk } from '../../../src/features/sessions/inbox/inboxDesk';
import { FollowedSessions } from '../../../src/features/sessions/list/followedSessions';
import { groupOf } from '../../../src/features/sessions/list/sessionGroups';
import { SessionListing, SessionStore } from '../../../src/features/sessions/list/sessionStore';
import { SessionsDrawing, type SessionsPicture } from '../../../src/features/sessions/list/sessionsPicture';
import { SessionWatcher } from '../../../src/features/sessions/list/sessionWatcher';
import { Conversation } from '../../../src/features/sessions/live/conversation';
import { LiveSession } from '../../../src/features/sessions/live/liveSession';
import { SessionAccess } from '../../../src/features/sessions/live/sessionAccess';
import { followPanel } from '../../../src/features/sessions/panel/openSessionPanels';
import type { AuditedDecision } from '../../../src/features/sessions/rules/auditFile';
import { fillPlaceholders as t } from '../../unit/features/requests/fillPlaceholders';
import { MemoryMemento } from '../../unit/features/sessions/memoryMemento';

interface OpenPanel {
  readonly session: LiveSession;
  readonly actions: Conversation;
  close(): void;
}

/** One window over a service: the Sessions view with its badge, the inbox, and the panels of sessions. */
export class SessionWindow {
  /** Added to the clocks that decide about the next poll, in milliseconds. */
  private skew = 0;
  private readonly clock = { now: () => Date.now() + this.skew, monotonic: () => performance.now() + this.skew };
  private readonly lifetime = new AbortController();
  private readonly connection: Connection;
  private readonly followed = new FollowedSessions(new MemoryMemento());
  readonly panels = new Map<string, OpenPanel>();
  private readonly sawPanel = new Emitter<PanelSession>();
  private readonly rules = new Map<string, AuditedDecision>();
  readonly store: SessionStore;
  readonly waiting: Needs;
  private readonly watcher: SessionWatcher;
  private readonly sources: AskSources;
  readonly desk: InboxDesk;
  private readonly drawing: SessionsDrawing;
  picture: SessionsPicture | undefined;
  private sent = 0;

  constructor(
    private readonly client: ServiceClient,
    baseUrl: string,
  ) {
    const { clock, lifetime, followed } = this;
    this.connection = { name: 'A', baseUrl, isEmulator: false } as Connection;
    this.store = new SessionStore(
      clock,
      () => this.seen(),
      () => [...[...this.panels.keys()].map(referenceOf), ...followed.all()],
      { ruleOf: ({ sessionId }) => this.rules.get(sessionId) },
    );
    this.store.reset('A');
    this.waiting = new Needs(this.store);
    this.store.onDidChange(() => this.waiting.check());
    const warn = () => undefined;
    this.watcher = new SessionWatcher({
      connections: { current: this.connection, access: 'A 1', state: 'ready', find: () => this.connection },
      reach: async () => client,
      ...{ store: this.store, listing: new SessionListing(this.store), followed, warn, clock },
      isWatched: () => true,
      isUsed: () => true,
      isTrusted: () => true,
      isReachable: () => true,
      isOpen: ({ sessionId }) => this.seen().some(seen => seen.sessionId === sessionId),
      onPolled: () => undefined,
    });
    this.store.facts.onDidOutdate(({ sessionId }) => this.panels.get(sessionId)?.session.readSoon());
    this.sources = new AskSources({
      ...{ waiting: this.waiting, warn, clock },
      open: ({ sessionId }) => {
        const panel = this.panels.get(sessionId);
        return panel?.session.isUpToDate === true ? panel : undefined;
      },
      onDidOpen: this.sawPanel.event,
      onRead: requests => this.watcher.spend(requests),
      create: (reference, onStale) => {
        const sessions = async () => client.sessions;
        const session = new AskedSession({
          reference,
          sessions,
          t,
          onStale,
          onGone: () => {
            this.store.remove(reference);
            void followed.forget(reference);
          },
          facts: this.store.facts,
          clock,
        });
        return {
          session,
          actions: new Conversation({ session, sessions, t, lifetime: lifetime.signal, warn }),
          dispose: () => session.dispose(),
        };
      },
    });
    this.sources.setVisible(true);
    this.desk = new InboxDesk({
      ...{
        sources: this.sources,
        postponed: new Set<string>(),
        search: () => ({ watched: '', isFindingOut: false }),
        canWrite: () => true,
        t,
      },
      ...{ clock, lifetime: lifetime.signal, decisions: () => undefined },
      ...{ waiting: this.waiting, dismissed: new DismissedQuestions(new MemoryMemento()) },
    });
    this.drawing = new SessionsDrawing(this.store, { isFilteredHere: false }, () => ({ translate: t, locale: 'en', now: 0 }), {
      show: picture => {
        this.picture = picture;
      },
      drawRows: () => undefined,
    });
  }

  private seen(): readonly PanelSession[] {
    return [...this.panels].flatMap(([id, { session }]) => (session.isUpToDate ? [{ ...referenceOf(id), view: session.view }] : []));
  }

  /** Opens the panel of a session, as a command does. */
  async open(id: string): Promise<void> {
    if (this.panels.has(id)) {
      return;
    }
    const { client, lifetime } = this;
    const reference = referenceOf(id);
    const access = new SessionAccess({
      ...{ reference, t },
      connections: { find: () => this.connection },
      reach: async () => client,
      emulator: { running: undefined, isStarting: false },
      isTrusted: () => true,
    });
    const session = new LiveSession({
      ...{ reference, access, t, watch: watchEvents },
      name: () => 'A',
      previews: () => undefined,
      canWrite: () => true,
      warn: () => undefined,
    });
    const actions = new Conversation({ session, sessions: () => access.write(), t, lifetime: lifetime.signal, warn: () => undefined });
    const follow = followPanel({ reference, page: { showView: () => undefined }, session }, seen => this.take(seen));
    const close = combine(follow, { dispose: () => [actions.close(), session.dispose()] });
    this.panels.set(id, { session, actions, close: () => close.dispose() });
    await this.followed.follow(reference, this.clock.now());
    session.start();
    await session.retryNow();
  }

  close(id: string): void {
    this.panels.get(id)?.close();
    this.panels.delete(id);
    this.store.facts.outdate();
  }

  /** Handles a panel's update of its session, as `SessionNews` does. */
  private take(seen: PanelSession): void {
    if (seen.view.state === 'deleted') {
      this.store.remove(seen);
      void this.followed.forget(seen);
    } else if (this.panels.get(seen.sessionId)?.session.isUpToDate === true) {
      this.store.facts.see(seen);
    } else {
      this.store.facts.outdate();
    }
    this.sawPanel.fire(seen);
  }

  /** Applies a rule's decision, as the Sessions view does. */
  decided(decision: AuditedDecision): void {
    if (decision.outcome === 'stored') {
      this.rules.set(decision.sessionId, decision);
      this.store.facts.answered(decision, decision.event);
    }
  }

  async look(isAsked: boolean): Promise<void> {
    if (isAsked) {
      this.watcher.forgetWait();
    }
    await this.watcher.poll(this.lifetime.signal);
  }

  showInbox(isVisible: boolean): void {
    this.sources.setVisible(isVisible);
  }

  async answerInInbox(place: number): Promise<void> {
    const { entries } = this.desk.view;
    const entry = entries[place % Math.max(1, entries.length)];
    const { desk } = this;
    if (entry === undefined) {
      return;
    }
    const { eventId, kind } = entry.ask;
    const clientId = `inbox ${++this.sent}`;
    await desk.answer(
      kind === 'customTool'
        ? { type: 'customResult', clientId, eventId, text: '3.2', isError: false }
        : { type: 'confirm', clientId, eventId, result: this.sent % 2 === 0 ? 'allow' : 'deny', shown: entry.fingerprint },
    );
  }

  /** Shows a question on the card, if there is one. Returns its id. */
  lookAtQuestion(place: number): string | undefined {
    const { questions } = this.desk.view;
    const question = questions[place % Math.max(1, questions.length)];
    this.desk.setShown(question?.id);
    return question?.id;
  }

  async replyInInbox(place: number): Promise<void> {
    const id = this.lookAtQuestion(place);
    if (id !== undefined) {
      await this.desk.reply({ type: 'reply', clientId: `reply ${++this.sent}`, id, text: 'main' });
    }
  }

  async answerInPanel(id: string): Promise<void> {
    const panel = this.panels.get(id);
    const ask = panel?.session.view.asks[0];
    if (panel === undefined || ask === undefined) {
      return;
    }
    const clientId = `panel ${++this.sent}`;
    await (ask.kind === 'customTool'
      ? panel.actions.customResult(clientId, ask.eventId, [], false)
      : panel.actions.confirm(clientId, ask.eventId, 'allow', undefined, panel.actions.fingerprintOf(ask.eventId)));
  }

  /** Asserts that the list, the badge, "Needs You" and all up-to-date panels agree. */
  agrees(): void {
    this.drawing.draw();
    const rows = this.store.sessions();
    const waiting = rows.filter(({ state }) => state === 'waiting');
    assert.equal(this.picture?.badge?.value ?? 0, rows.filter(row => groupOf(row) === 'needsYou').length);
    assert.deepEqual(
      this.waiting
        .all()
        .flatMap(({ asks }) => asks.map(({ eventId }) => eventId))
        .sort(),
      waiting.flatMap(({ asks }) => asks.map(({ eventId }) => eventId)).sort(),
    );
    for (const { sessionId, view } of this.seen()) {
      const row = rows.find(({ session }) => session.id === sessionId);
      // Archived sessions are not in the list.
      if (view.state === 'deleted' || (view.state === 'archived' && row === undefined)) {
        continue;
      }
      const open = view.asks.filter(({ answering }) => !answering).map(({ eventId }) => eventId);
      assert.deepEqual(row?.asks.map(({ eventId }) => eventId).sort(), open.sort());
      assert.deepEqual([row.state, row.rest], [view.state, view.rest]);
    }
  }

  /** Returns the event ids of the open asks on each surface. */
  told(): Record<'rows' | 'badge' | 'needs' | 'inbox' | 'asked' | 'questions', readonly string[] | number> {
    this.drawing.draw();
    const rows = this.store.sessions();
    const waiting = rows.filter(({ state }) => state === 'waiting');
    return {
      rows: waiting.flatMap(({ asks }) => asks.map(({ eventId }) => eventId)).sort(),
      badge: this.picture?.badge?.value ?? 0,
      needs: this.waiting
        .all()
        .flatMap(({ asks }) => asks.map(({ eventId }) => eventId))
        .sort(),
      inbox: this.desk.view.entries.map(({ ask }) => this.desk.find(ask.eventId)?.eventId ?? '').sort(),
      asked: rows.flatMap(({ rest }) => (rest?.kind === 'asked' ? [rest.eventId] : [])).sort(),
      questions: this.desk.view.questions.map(({ id }) => this.desk.placeOf(id)?.eventId ?? '').sort(),
    };
  }

  /** Advances the clocks by 90 seconds and refreshes. */
  async passTime(): Promise<void> {
    this.skew += 90_000;
    this.showInbox(true);
    await this.look(true);
    this.sources.sync();
    for (const { session } of this.panels.values()) {
      session.readSoon();
    }
  }

  end(): void {
    this.lifetime.abort();
    for (const { close } of this.panels.values()) {
      close();
    }
    this.desk.dispose();
    this.sources.dispose();
  }
}

export const referenceOf = (sessionId: string) => ({ connection: 'A', sessionId });
