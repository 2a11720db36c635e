// One run of the row `watched` in a process of its own: watchedChild URL KEY SESSIONS FOLLOWED SECONDS, one line of JSON.
import type { ServiceClient } from '../../src/client/serviceClient';
import { systemClock } from '../../src/common/clock';
import { Emitter } from '../../src/common/emitter';
import { Poller } from '../../src/common/lists/poller';
import { Throttle } from '../../src/common/lists/throttle';
import type { Connection } from '../../src/features/connection/connection';
import { Needs } from '../../src/features/sessions/facts/needs';
import { AskedSession } from '../../src/features/sessions/inbox/askedSession';
import { AskSources } from '../../src/features/sessions/inbox/askSources';
import { DismissedQuestions } from '../../src/features/sessions/inbox/dismissedQuestions';
import { InboxDesk } from '../../src/features/sessions/inbox/inboxDesk';
import { FollowedSessions } from '../../src/features/sessions/list/followedSessions';
import { SessionListing, SessionStore } from '../../src/features/sessions/list/sessionStore';
import { SessionsDrawing } from '../../src/features/sessions/list/sessionsPicture';
import { SessionWatcher } from '../../src/features/sessions/list/sessionWatcher';
import { Conversation } from '../../src/features/sessions/live/conversation';
import { contractClient } from '../helpers/emulatorClient';
import { until } from '../helpers/until';
import { fillPlaceholders } from '../unit/features/requests/fillPlaceholders';
import { MemoryMemento } from '../unit/features/sessions/memoryMemento';

const waitingSessions = 5;

/** Starts idle sessions. The oldest ones wait for an answer. Returns the ids, oldest first. */
async function begin(client: ServiceClient, count: number): Promise<readonly string[]> {
  const agent = (await client.agents.list()).items.find(({ name }) => name === 'Careful Operator')?.id ?? '';
  const environment_id = (await client.environments.list()).items[0]?.id ?? '';
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const { data } = await client.sessions.create({ agent, environment_id });
    ids.push(data.id);
    if (number < waitingSessions) {
      await client.sessions.send(data.id, [{ type: 'user.message', content: [{ type: 'text', text: `ask make step ${number}` }] }]);
    }
  }
  return ids;
}

/** Creates the Sessions view and the inbox of a window, both visible, without VS Code. */
function createWindow(client: ServiceClient, baseUrl: string, followed: FollowedSessions) {
  const connection = { name: 'A', baseUrl, isEmulator: false } as Connection;
  const store = new SessionStore(
    systemClock,
    () => [],
    () => followed.all(),
  );
  store.reset('A');
  const listing = new SessionListing(store);
  const lifetime = new AbortController();
  const warn = (message: string) => {
    throw new Error(message);
  };
  const watcher = new SessionWatcher({
    connections: { current: connection, access: 'A 1', state: 'ready', find: () => connection },
    reach: async () => client,
    ...{ store, listing, followed, warn, clock: systemClock },
    isWatched: () => true,
    isUsed: () => true,
    isTrusted: () => true,
    isReachable: () => true,
    isOpen: () => false,
    onPolled: () => undefined,
  });
  let draws = 0;
  const drawing = new SessionsDrawing(store, listing, () => ({ translate: fillPlaceholders, locale: 'en', now: Date.now() }), {
    show: () => undefined,
    drawRows: () => {
      draws++;
    },
  });
  const waiting = new Needs(store);
  const gathered = new Throttle(() => {
    drawing.draw();
    waiting.check();
  }, 250);
  store.onDidChange(() => gathered.ask());
  const sources = new AskSources({
    ...{ waiting, warn, clock: systemClock },
    open: () => undefined,
    onDidOpen: new Emitter<void>().event,
    onRead: requests => watcher.spend(requests),
    create: (reference, onStale) => {
      const sessions = async () => client.sessions;
      const session = new AskedSession({
        reference,
        sessions,
        t: fillPlaceholders,
        onStale,
        onGone: () => store.remove(reference),
        facts: store.facts,
        clock: systemClock,
      });
      return {
        session,
        actions: new Conversation({ session, sessions, t: fillPlaceholders, lifetime: lifetime.signal, warn }),
        dispose: () => session.dispose(),
      };
    },
  });
  const desk = new InboxDesk({
    ...{
      sources,
      postponed: new Set<string>(),
      search: () => ({ watched: '', isFindingOut: false }),
      canWrite: () => true,
      t: fillPlaceholders,
    },
    ...{ clock: systemClock, lifetime: lifetime.signal, decisions: () => undefined },
    ...{ waiting, dismissed: new DismissedQuestions(new MemoryMemento()) },
  });
  sources.setVisible(true);
  desk.onDidChange(() => desk.setShown(desk.view.entries[0]?.ask.eventId));
  const poller = new Poller(signal => watcher.poll(signal));
  return {
    ...{ store, desk, poller },
    draws: () => draws,
    end: () => {
      lifetime.abort();
      poller.dispose();
      desk.dispose();
      sources.dispose();
      gathered.dispose();
    },
  };
}

/** Returns the processor time and the calls to the service during `milliseconds`. */
async function watch(url: string, key: string, milliseconds: number): Promise<{ readonly percent: number; readonly requests: number }> {
  const asked = async () => {
    const response = await fetch(`${url}/_emulator/requests`, { headers: { 'x-api-key': key } });
    return ((await response.json()) as { readonly requests: readonly unknown[] }).requests.length;
  };
  const before = await asked();
  const cpu = process.cpuUsage();
  const from = performance.now();
  await new Promise(resolve => setTimeout(resolve, milliseconds));
  const { user, system } = process.cpuUsage(cpu);
  const percent = (user + system) / 10 / (performance.now() - from);
  return { percent, requests: (await asked()) - before };
}

async function run(url: string, key: string, sessions: number, followedCount: number, seconds: number): Promise<void> {
  const client = contractClient({ url, key });
  const followed = new FollowedSessions(new MemoryMemento());
  // Follows the oldest sessions, because the first page of the list doesn't have them.
  for (const sessionId of (await begin(client, sessions)).slice(0, followedCount)) {
    await followed.follow({ connection: 'A', sessionId }, Date.now());
  }
  const window = createWindow(client, url, followed);
  await window.poller.trigger();
  await until(() => !window.store.coverage.isPart && window.desk.view.isRead && window.desk.view.entries.length === waitingSessions, 100);
  const draws = window.draws();
  const watched = await watch(url, key, seconds * 1000);
  const shown = { waiting: window.store.waiting().length, inbox: window.desk.view.entries.length, draws: window.draws() - draws };
  window.end();
  const idle = await watch(url, key, 5000);
  await client.close();
  console.log(JSON.stringify({ ...watched, ...shown, idlePercent: idle.percent }));
}

const [url = '', key = '', ...numbers] = process.argv.slice(2);
const [sessions = 0, followedCount = 0, seconds = 0] = numbers.map(Number);
await run(url, key, sessions, followedCount, seconds);
