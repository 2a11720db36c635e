import assert from 'node:assert/strict';
import type { Session } from '../../../../../src/client/resources/sessions';
import { ServiceError, type ServiceErrorKind } from '../../../../../src/client/transport/errors';
import type { PanelSession } from '../../../../../src/features/sessions/facts/listedSession';
import type { OpenAsk } from '../../../../../src/features/sessions/facts/openAsks';
import { SessionStore } from '../../../../../src/features/sessions/list/sessionStore';
import { recordedBody } from '../recorded';

const now = Date.parse('2026-11-21T12:00:00Z');
const ask: OpenAsk = { eventId: 'e1', kind: 'confirmation', tool: 'bash' };
const session = (id: string, status = 'idle', change: Partial<Session> = {}): Session => ({ id, type: 'session', status, ...change });
const page = (items: readonly Session[], nextCursor?: string) => ({ items, nextCursor, requestId: undefined });

/** Creates a store of connection A, with the state of open panels. */
function storeOf(items: readonly Session[], nextCursor?: string) {
  const seen: PanelSession[] = [];
  const store = new SessionStore({ now: () => now, monotonic: () => 0 }, () => seen);
  store.reset('A');
  store.list.acceptFirstPage(store.list.scope ?? '', page(items, nextCursor));
  const wait = (sessionId: string, asks: readonly OpenAsk[] = [ask]) => {
    const listed = items.find(({ id }) => id === sessionId);
    assert.ok(listed !== undefined);
    store.facts.setLog({ connection: 'A', sessionId }, listed, { asks, firstWords: undefined });
  };
  const shape = () => store.groups().map(({ name, sessions }) => `${name}: ${sessions.map(({ session: { id } }) => id).join(' ')}`);
  return { store, seen, wait, shape };
}

const viewOf = (change: object): PanelSession['view'] =>
  ({
    state: 'idle',
    title: '',
    firstWords: '',
    asks: [],
    tokens: { input: undefined, output: undefined, cacheRead: undefined, cacheWrite: undefined },
    updatedAt: undefined,
    ...change,
  }) as unknown as PanelSession['view'];

describe('features/sessions/list/sessionStore', () => {
  it('groups by what needs the user, in order, without empty groups', () => {
    const { wait, shape } = storeOf([
      session('i'),
      session('r', 'running'),
      session('w'),
      session('wr', 'running'),
      session('t', 'terminated'),
      session('s', 'rescheduling'),
      session('o', 'hibernating'),
      session('a', 'idle', { archived_at: '2026-11-21T11:00:00Z' }),
    ]);
    wait('w');
    wait('wr');
    assert.deepEqual(shape(), ['needsYou: w wr', 'running: r s', 'failed: t', 'done: i o']);
  });

  it('shows archived sessions only if the filter includes them, by archived_at and not by status', () => {
    const { store, shape } = storeOf([session('a', 'idle', { archived_at: '2026-11-21T11:00:00Z' }), session('b')]);
    assert.deepEqual(shape(), ['done: b']);
    store.setFilter({ includeArchived: true });
    assert.equal(store.state, 'loading');
    store.list.acceptFirstPage(store.list.scope ?? '', page([session('a', 'idle', { archived_at: '2026-11-21T11:00:00Z' })]));
    assert.deepEqual(shape(), ['archived: a']);
  });

  it("shows a real server's recorded lists, with an archived session that is still idle", () => {
    const listed = [
      ...recordedBody('sessionLists/162-sessions-list-p1.http').data,
      ...recordedBody('sessionLists/163-sessions-list-p2.http').data,
    ];
    assert.deepEqual(storeOf(listed as readonly Session[]).shape().length, 1);
    const { store } = storeOf(listed as readonly Session[]);
    assert.deepEqual(
      store.sessions().map(({ name, state }) => `${name} ${state}`),
      ['Renamed idle', 'undefined idle', 'undefined idle', 'undefined idle'],
    );
    const archived = storeOf(recordedBody('sessionLists/175-sessions-list-archived.http').data as readonly Session[]);
    archived.store.setFilter({ includeArchived: true });
    archived.store.list.acceptFirstPage(
      archived.store.list.scope ?? '',
      page(recordedBody('sessionLists/175-sessions-list-archived.http').data),
    );
    assert.deepEqual(
      archived.store.groups().map(({ name, sessions }) => `${name} ${sessions.length}`),
      ['done 2', 'archived 1'],
    );
  });

  it('lets an open panel override the list, in both directions', () => {
    const { wait, shape, seen, store } = storeOf([session('x'), session('y', 'running')]);
    wait('x');
    seen.push({ connection: 'A', sessionId: 'x', view: viewOf({ state: 'running', status: 'running', title: 'Seen' }) });
    const input = { type: 'json', text: '{"command":"ls"}' };
    seen.push({ connection: 'A', sessionId: 'y', view: viewOf({ state: 'waiting', asks: [{ ...ask, input }] }) });
    assert.deepEqual(shape(), ['needsYou: y', 'running: x']);
    assert.equal(store.find({ connection: 'A', sessionId: 'x' })?.name, 'Seen');
    assert.deepEqual(store.find({ connection: 'A', sessionId: 'y' })?.asks, [{ ...ask, input: { command: 'ls' } }]);
  });

  it("names an untitled session by an open panel's facts", () => {
    const { seen, store } = storeOf([session('x')]);
    seen.push({ connection: 'A', sessionId: 'x', view: viewOf({ firstWords: 'Tidy up' }) });
    assert.equal(store.sessions()[0]?.name, 'Tidy up');
  });

  it("doesn't count an ask that is being answered in a panel", () => {
    const { seen, shape } = storeOf([session('x')]);
    const input = { type: 'json', text: '{}' };
    seen.push({ connection: 'A', sessionId: 'x', view: viewOf({ state: 'waiting', asks: [{ ...ask, input, answering: true }] }) });
    assert.deepEqual(shape(), ['done: x']);
  });

  it('distinguishes no sessions from no matches', () => {
    const { store } = storeOf([]);
    assert.equal(store.state, 'empty');
    store.setFilter({ states: ['running'] });
    store.list.acceptFirstPage(store.list.scope ?? '', page([]));
    assert.equal(store.state, 'noMatch');
    store.list.acceptFirstPage(store.list.scope ?? '', page([session('i')]));
    assert.equal(store.state, 'noMatch');
  });

  it('offers the next page if the first one has no matches', () => {
    const { store } = storeOf([]);
    store.setFilter({ states: ['running'] });
    store.list.acceptFirstPage(store.list.scope ?? '', page([session('i')], 'next'));
    assert.deepEqual([store.state, store.more], ['filled', { problem: undefined }]);
  });

  it("has no filter state if the service can't be listed", () => {
    const failure = (kind: ServiceErrorKind) => new ServiceError('no', { kind, outcome: 'refused', method: 'GET', host: 'h', path: '/' });
    const { store } = storeOf([]);
    store.setFilter({ states: ['running'] });
    for (const [kind, state] of [
      ['not_found', 'unsupported'],
      ['authentication', 'unauthorized'],
      ['dns', 'unreachable'],
    ] as const) {
      store.list.acceptFailure(store.list.scope ?? '', failure(kind));
      assert.equal(store.state, state);
    }
  });

  it('adds and removes single sessions of its connection only', () => {
    const { store, shape } = storeOf([session('a')]);
    store.put('A', session('b', 'running'));
    store.put('B', session('c'));
    store.remove({ connection: 'B', sessionId: 'a' });
    assert.deepEqual(shape(), ['running: b', 'done: a']);
    store.remove({ connection: 'A', sessionId: 'b' });
    assert.deepEqual(shape(), ['done: a']);
  });

  it('publishes a further page without sessions that were deleted meanwhile', async () => {
    let at = 0;
    const store = new SessionStore({ now: () => now, monotonic: () => at }, () => []);
    store.reset('A');
    store.acceptFirstPage(store.list.scope ?? '', page([session('a')], 'after a'), at);
    let changes = 0;
    store.onDidChange(() => changes++);
    await store.loadMore(async cursor => {
      at++;
      store.remove({ connection: 'A', sessionId: 'c' });
      changes = 0;
      return page([session('b', 'running'), session('c')], `after ${cursor}`);
    });
    assert.deepEqual([changes > 0, store.sessions().map(({ session: { id } }) => id)], [true, ['a', 'b']]);
    assert.equal(store.facts.asOf({ connection: 'A', sessionId: 'b' }), 0);
  });

  it('publishes a further page even after the list was replaced, but not for another connection', async () => {
    const { store } = storeOf([session('a')], 'after a');
    const loadMeanwhile = async (meanwhile: () => void) => {
      let changes = 0;
      await store.loadMore(async () => {
        meanwhile();
        store.onDidChange(() => changes++);
        return page([session('b', 'running')]);
      });
      return changes;
    };
    const scope = store.list.scope ?? '';
    const changes = await loadMeanwhile(() => store.list.acceptFirstPage(scope, page([session('z')], 'after z')));
    assert.deepEqual([changes, store.all().map(({ session: { id } }) => id)], [1, ['z', 'b']]);
    assert.equal(await loadMeanwhile(() => store.reset('B')), 0);
    assert.deepEqual(store.all(), []);
  });

  it('names an untitled session by its first words', () => {
    const { store } = storeOf([session('a', 'idle', { title: '  ' })]);
    store.facts.setLog({ connection: 'A', sessionId: 'a' }, session('a'), { asks: [], firstWords: 'Tidy up' });
    assert.equal(store.sessions()[0]?.name, 'Tidy up');
  });
});
