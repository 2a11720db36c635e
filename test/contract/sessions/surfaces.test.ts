import assert from 'node:assert/strict';
import fc from 'fast-check';
import { watchEvents } from '../../../src/client/events/eventStream';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { combine } from '../../../src/common/disposables';
import { Emitter } from '../../../src/common/emitter';
import type { Emulator } from '../../../src/emulator/emulator';
import type { Connection } from '../../../src/features/connection/connection';
import { openAsks } from '../../../src/features/sessions/asks/openAsks';
import { AskedSession } from '../../../src/features/sessions/inbox/askedSession';
import { AskSources } from '../../../src/features/sessions/inbox/askSources';
import { DeskQuestions } from '../../../src/features/sessions/inbox/deskQuestions';
import { DismissedQuestions } from '../../../src/features/sessions/inbox/dismissedQuestions';
import { InboxDesk } from '../../../src/features/sessions/inbox/inboxDesk';
import { asksOf } from '../../../src/features/sessions/inbox/inboxPresentation';
import { KnownWaiting } from '../../../src/features/sessions/inbox/knownWaiting';
import { toldByInbox } from '../../../src/features/sessions/inbox/toldByInbox';
import { FollowedSessions } from '../../../src/features/sessions/list/followedSessions';
import { readNewestEvents } from '../../../src/features/sessions/list/newestEvents';
import { SessionListing } from '../../../src/features/sessions/list/sessionListing';
import { restAfter } from '../../../src/features/sessions/list/sessionRest';
import { SessionStore } from '../../../src/features/sessions/list/sessionStore';
import { SessionsDrawing, type SessionsPicture } from '../../../src/features/sessions/list/sessionsPicture';
import { SessionWatcher } from '../../../src/features/sessions/list/sessionWatcher';
import { followPanel } from '../../../src/features/sessions/panel/followPanel';
import { Conversation } from '../../../src/features/sessions/panel/live/conversation';
import { LiveSession } from '../../../src/features/sessions/panel/live/liveSession';
import { SessionAccess } from '../../../src/features/sessions/panel/live/sessionAccess';
import { tabIconOf } from '../../../src/features/sessions/panel/tabIcon';
import type { SeenSession } from '../../../src/features/sessions/sessionPanels';
import { runs } from '../../helpers/runs';
import { until } from '../../helpers/until';
import { fillPlaces as t } from '../../unit/features/requests/fillPlaces';
import { MemoryMemento } from '../../unit/features/sessions/memoryMemento';
import { startSessionService } from './startSessionService';

const which = fc.nat(2);
const words = fc.constantFrom(
  'ask make clean',
  'two',
  'price of tea',
  'delegate ask tidy up',
  'hello',
  'Which branch?',
  'fail',
  'terminate',
);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('say' as const), which, words }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('answerElsewhere' as const, 'answerInPanel' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('answerInInbox' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('open' as const, 'close' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('interrupt' as const, 'archive' as const, 'delete' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('lookAtQuestion' as const, 'replyInInbox' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('look' as const, 'refresh' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('showInbox' as const, 'hideInbox' as const) }) },
);
const steps = fc.array(step, { minLength: 4, maxLength: 14, size: 'max' });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface OpenPanel {
  readonly session: LiveSession;
  readonly actions: Conversation;
  close(): void;
}

/** One window over a service: the Sessions view with its badge, the inbox, and the panels of sessions. */
class Window {
  /** Added to the clocks that decide when something is asked for again. */
  private skew = 0;
  private readonly clock = { now: () => Date.now() + this.skew, monotonic: () => performance.now() + this.skew };
  private readonly lifetime = new AbortController();
  private readonly connection: Connection;
  private readonly followed = new FollowedSessions(new MemoryMemento());
  readonly panels = new Map<string, OpenPanel>();
  private readonly sawPanel = new Emitter<SeenSession>();
  readonly store: SessionStore;
  readonly waiting: KnownWaiting;
  private readonly watcher: SessionWatcher;
  private readonly sources: AskSources;
  readonly desk: InboxDesk;
  private readonly drawing: SessionsDrawing;
  picture: SessionsPicture | undefined;
  private sent = 0;

  constructor(
    private readonly client: ServiceClient,
    emulator: Emulator,
  ) {
    const { clock, lifetime, followed } = this;
    this.connection = { name: 'A', baseUrl: emulator.url, isEmulator: false } as Connection;
    this.store = new SessionStore(
      clock,
      () => this.seen(),
      () => [...[...this.panels.keys()].map(referenceOf), ...followed.all()],
    );
    this.store.reset('A');
    this.waiting = new KnownWaiting(this.store);
    const warn = () => undefined;
    this.watcher = new SessionWatcher({
      connections: { current: this.connection, access: 'A 1', state: 'ready', find: () => this.connection },
      reach: async () => client,
      ...{ store: this.store, listing: new SessionListing(this.store), followed, warn, clock },
      isWatched: () => true,
      isTrusted: () => true,
      isReachable: () => true,
      isOpen: ({ sessionId }) => this.seen().some(seen => seen.sessionId === sessionId),
      onLooked: () => undefined,
    });
    this.store.onDidOutdate(({ sessionId }) => this.panels.get(sessionId)?.session.readSoon());
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
          told: toldByInbox(this.store, followed, clock, error => assert.fail(String(error))),
        });
        return { session, actions: new Conversation({ session, sessions, t, lifetime: lifetime.signal, warn }) };
      },
    });
    this.sources.setVisible(true);
    this.desk = new InboxDesk({
      ...{ sources: this.sources, postponed: new Set<string>(), watched: () => '', isFindingOut: () => false, canWrite: () => true, t },
      ...{ clock, lifetime: lifetime.signal, newest: () => undefined, byRules: () => 0 },
      questions: new DeskQuestions({
        ...{ sources: this.sources, waiting: this.waiting, t },
        dismissed: new DismissedQuestions(new MemoryMemento()),
      }),
    });
    this.drawing = new SessionsDrawing(this.store, { note: undefined }, () => ({ translate: t, locale: 'en', now: 0 }), {
      show: picture => {
        this.picture = picture;
      },
      drawRows: () => undefined,
      needs: () => asksOf(this.waiting),
    });
  }

  private seen(): readonly SeenSession[] {
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
    const panel = { showView: () => undefined, onDidChangeVisibility: new Emitter<boolean>().event };
    const follow = followPanel({ reference, panel, session }, seen => this.take(seen));
    const close = combine(follow, { dispose: () => [actions.close(), session.dispose()] });
    this.panels.set(id, { session, actions, close: () => close.dispose() });
    await this.followed.follow(reference, this.clock.now());
    session.start();
    await session.retryNow();
  }

  close(id: string): void {
    this.panels.get(id)?.close();
    this.panels.delete(id);
    this.store.touch();
  }

  /** What `SessionNews` does with what a panel tells. */
  private take(seen: SeenSession): void {
    if (seen.view.state === 'deleted') {
      this.store.remove(seen);
      void this.followed.forget(seen);
    } else if (this.panels.get(seen.sessionId)?.session.isUpToDate === true) {
      this.store.see(seen);
    } else {
      this.store.touch();
    }
    this.sawPanel.fire(seen);
  }

  async look(isAsked: boolean): Promise<void> {
    if (isAsked) {
      this.watcher.forgetWait();
    }
    await this.watcher.look(this.lifetime.signal);
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

  /** Brings a question onto the card, if there is one. */
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

  /** What list, badge, "Needs You" and the panels that are up to date have in common at any moment. */
  agrees(): void {
    this.drawing.draw();
    const rows = this.store.sessions();
    const waiting = rows.filter(({ state }) => state === 'waiting');
    assert.equal(this.picture?.badge?.value ?? 0, waiting.length);
    assert.deepEqual(
      asksOf(this.waiting)
        .map(({ ask }) => ask.eventId)
        .sort(),
      waiting.flatMap(({ asks }) => asks.map(({ eventId }) => eventId)).sort(),
    );
    for (const { sessionId, view } of this.seen()) {
      const row = rows.find(({ session }) => session.id === sessionId);
      // What is archived leaves the list, which does not show it.
      if (view.state === 'deleted' || (view.state === 'archived' && row === undefined)) {
        continue;
      }
      const open = view.asks.filter(({ answering }) => !answering).map(({ eventId }) => eventId);
      assert.deepEqual(row?.asks.map(({ eventId }) => eventId).sort(), open.sort());
      assert.equal(row.rest?.kind === 'asked' ? row.rest.eventId : undefined, view.state === 'idle' ? view.asked : undefined);
      assert.ok(row.state !== 'waiting' || tabIconOf(view) === 'waiting', `${row.state} beside a tab that is ${tabIconOf(view)}`);
    }
  }

  /** What each of the surfaces says waits, by event ids. */
  told(): Record<'rows' | 'badge' | 'needs' | 'inbox' | 'asked' | 'questions', readonly string[] | number> {
    this.drawing.draw();
    const rows = this.store.sessions();
    const waiting = rows.filter(({ state }) => state === 'waiting');
    return {
      rows: waiting.flatMap(({ asks }) => asks.map(({ eventId }) => eventId)).sort(),
      badge: this.picture?.badge?.value ?? 0,
      needs: asksOf(this.waiting)
        .map(({ ask }) => ask.eventId)
        .sort(),
      inbox: this.desk.view.entries.map(({ ask }) => this.desk.find(ask.eventId)?.eventId ?? '').sort(),
      asked: rows.flatMap(({ rest }) => (rest?.kind === 'asked' ? [rest.eventId] : [])).sort(),
      questions: this.desk.view.questions.map(({ id }) => this.desk.placeOf(id)?.eventId ?? '').sort(),
    };
  }

  /** A minute and a half go by, and the user refreshes. */
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
    this.waiting.dispose();
  }
}

const referenceOf = (sessionId: string) => ({ connection: 'A', sessionId });

describe('list, badge, panels and inbox of one window', () => {
  let emulator: Emulator;
  let client: ServiceClient;
  let start: { readonly agent: string; readonly environment_id: string };

  before(async () => {
    ({ emulator, client, start } = await startSessionService());
  });
  after(async () => {
    await client.close();
    await emulator.stop();
  });

  /** What truly waits in these sessions, and with which words they asked and rest, by event ids. */
  async function truth(
    ids: readonly string[],
  ): Promise<readonly { readonly asks: readonly string[]; readonly asked: readonly string[] }[]> {
    const open = ids.map(async id => {
      const { archived_at, status } = (await client.sessions.retrieve(id)).data;
      const events = (await readNewestEvents(client.sessions.events(id), new AbortController().signal))?.events ?? [];
      const asks = openAsks(events).map(({ eventId }) => eventId);
      const rest = status === 'idle' && asks.length === 0 ? restAfter(events) : undefined;
      return archived_at || status === 'terminated'
        ? { asks: [], asked: [] }
        : { asks, asked: rest?.kind === 'asked' ? [rest.eventId] : [] };
    });
    return await Promise.all(open);
  }

  /** What another client of the service does, or this window's user. What the service refuses changes nothing. */
  async function take(window: Window, taken: Step, ids: readonly string[], gone: Set<string>): Promise<void> {
    const id = 'which' in taken ? (ids[taken.which] ?? '') : '';
    const say = (...events: object[]) => client.sessions.send(id, events);
    const act = async (work: () => Promise<unknown>) => {
      const done = work().catch(() => undefined);
      // Also while it is on its way.
      window.agrees();
      await done;
      window.agrees();
      await emulator.advanceClock(0);
    };
    switch (taken.do) {
      case 'say':
        return await act(() => say({ type: 'user.message', content: [{ type: 'text', text: taken.words }] }));
      case 'answerElsewhere':
        return await act(async () => {
          const newest = await readNewestEvents(client.sessions.events(id), new AbortController().signal);
          const [ask] = openAsks(newest?.events ?? []);
          await (ask?.kind === 'customTool'
            ? say({ type: 'user.custom_tool_result', custom_tool_use_id: ask.eventId, content: [] })
            : say({ type: 'user.tool_confirmation', tool_use_id: ask?.eventId, result: 'allow' }));
        });
      case 'interrupt':
        return await act(() => say({ type: 'user.interrupt' }));
      case 'archive':
        return await act(() => client.sessions.archive(id));
      case 'delete':
        return await act(async () => {
          await client.sessions.delete(id);
          gone.add(id);
        });
      case 'open':
        return gone.has(id) ? undefined : await window.open(id);
      case 'close':
        return window.close(id);
      case 'answerInPanel':
        return await act(() => window.answerInPanel(id));
      case 'answerInInbox':
        return await act(() => window.answerInInbox(taken.which));
      case 'lookAtQuestion':
        window.lookAtQuestion(taken.which);
        return window.agrees();
      case 'replyInInbox':
        return await act(() => window.replyInInbox(taken.which));
      case 'look':
      case 'refresh':
        return await window.look(taken.do === 'refresh');
      case 'showInbox':
      case 'hideInbox':
        return window.showInbox(taken.do === 'showInbox');
    }
  }

  /** Agents may still be at work: what truly waits is asked anew as often as the window looks. */
  async function comesToTell(window: Window, ids: readonly string[]): Promise<void> {
    let waits = await truth(ids);
    const panels = () => [...window.panels].filter(([id]) => ids.includes(id)).map(([, { session }]) => session.view);
    const told = () => ({ ...window.told(), tabs: panels().map(view => tabIconOf(view) === 'waiting') });
    const expected = () => {
      const events = waits.flatMap(({ asks }) => asks).sort();
      const questions = waits.flatMap(({ asked }) => asked).sort();
      const tabs = panels().map(view => events.some(event => view.asks.some(ask => ask.eventId === event)));
      const badge = waits.filter(({ asks }) => asks.length > 0).length;
      return { rows: events, badge, needs: events, inbox: events, asked: questions, questions, tabs };
    };
    const isTold = () => JSON.stringify(told()) === JSON.stringify(expected());
    for (let round = 0; round < 10 && !isTold(); round++) {
      await window.passTime();
      waits = await truth(ids);
      // What streams tell comes by itself.
      let looks = 0;
      await until(() => isTold() || ++looks === 20, 10);
    }
    assert.deepEqual(told(), expected());
    window.agrees();
  }

  it('say at once, without a look at the service, what the inbox found out', async () => {
    const { id } = (await client.sessions.create(start)).data;
    const window = new Window(client, emulator);
    try {
      await client.sessions.send(id, [{ type: 'user.message', content: [{ type: 'text', text: 'ask make clean' }] }]);
      await emulator.advanceClock(0);
      await window.look(true);
      window.showInbox(true);
      await until(() => window.desk.view.entries.length === 1, 10);
      assert.equal(window.told().badge, 1);
      await window.answerInInbox(0);
      await until(() => window.told().badge === 0, 10);
      const { rows, badge, needs, inbox } = window.told();
      assert.deepEqual({ rows, badge, needs, inbox }, { rows: [], badge: 0, needs: [], inbox: [] });
    } finally {
      window.end();
      await client.sessions.delete(id);
    }
  });

  it('never contradict each other, whatever happens, and come to say what is true', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async taken => {
        const ids = await Promise.all([0, 1, 2].map(async () => (await client.sessions.create(start)).data.id));
        const window = new Window(client, emulator);
        const gone = new Set<string>();
        try {
          for (const one of taken) {
            await take(window, one, ids, gone);
            window.agrees();
          }
          await comesToTell(
            window,
            ids.filter(id => !gone.has(id)),
          );
        } finally {
          window.end();
          await Promise.all(ids.filter(id => !gone.has(id)).map(id => client.sessions.delete(id)));
        }
      }),
      { numRuns: runs(600, 60) },
    );
  });
});
