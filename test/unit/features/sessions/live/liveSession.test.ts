import assert from 'node:assert/strict';
import { settled } from '../panel/fakeService';
import { createSessionUnderTest, failure, live, said } from '../panel/sessionUnderTest';

describe('features/sessions/live/liveSession', () => {
  it('shows received events in order', async () => {
    const { session, watch, rows, service, time } = createSessionUnderTest();
    session.start();
    await watch().push({ type: 'state', state: { name: 'catchingUp', events: 0 } });
    assert.deepEqual(session.connection, { name: 'catchingUp', events: 0 });
    await watch().push({ type: 'events', events: said(1, 2), live: false }, live, { type: 'events', events: said(3), live: true });
    assert.deepEqual(rows(), ['e1', 'e2', 'e3']);
    assert.deepEqual(session.connection, { name: 'live' });
    await time.pass(2500);
    assert.equal(session.view.title, 'Build');
    assert.equal(session.view.id, 'sesn_1');
    assert.ok(service.retrieved >= 1);
    assert.equal(watch().options.previews?.[0], 'agent.message');
    session.dispose();
  });

  it('retrieves the session again when an event reports a change, not for every event', async () => {
    const { session, watch, service, time } = createSessionUnderTest();
    session.start();
    await watch().push(live);
    await time.pass(5000);
    const before = service.retrieved;
    await watch().push({ type: 'events', events: said(1, 2, 3), live: true });
    await time.pass(5000);
    assert.equal(service.retrieved, before);
    service.session = { ...service.session, title: 'Another' };
    for (const id of ['s1', 's2', 's3']) {
      await watch().push({ type: 'events', events: [{ type: 'session.updated', id }], live: true });
    }
    await time.pass(5000);
    assert.equal(service.retrieved, before + 1);
    assert.equal(session.view.title, 'Another');
    session.dispose();
  });

  it("shows the session's files, and doesn't call a service again that refuses the list", async () => {
    const { session, watch, service, time } = createSessionUnderTest();
    const mine = { id: 'file_1', type: 'file', filename: 'report.md', scope: { type: 'session', id: 'sesn_1' } };
    service.files = [{ id: 'file_0', type: 'file' }, mine];
    session.start();
    await watch().push(live);
    await time.pass(5000);
    assert.deepEqual(session.view.createdFiles, [{ id: 'file_1', name: 'report.md', bytes: undefined }]);
    const read = async () => {
      const before = service.filesAsked;
      session.readSoon();
      await time.pass(5000);
      return service.filesAsked - before;
    };
    service.filesError = failure('rate_limit', 'refused', 429);
    assert.deepEqual([await read(), await read()], [1, 1]);
    service.filesError = failure('permission', 'refused', 403);
    assert.deepEqual([await read(), await read()], [1, 0]);
    assert.equal(session.view.createdFiles?.length, 1);
    session.dispose();
  });

  it("names the session's vaults, each retrieved once, or by ID if the service has no name", async () => {
    const { session, watch, service, time } = createSessionUnderTest();
    service.session = { ...service.session, vault_ids: ['vlt_1', 'vlt_2', 'vlt_3'] };
    service.vaultNames.set('vlt_1', 'Keys of the shop');
    service.vaultNames.set('vlt_3', '');
    session.start();
    await watch().push(live);
    await time.pass(5000);
    assert.deepEqual(session.view.vaults, ['Keys of the shop', 'vlt_2', 'vlt_3']);
    session.readSoon();
    await time.pass(5000);
    assert.deepEqual(service.vaultsAsked, ['vlt_1', 'vlt_2', 'vlt_3']);
    session.dispose();
  });

  it('keeps its rows while it is read again', async () => {
    const { session, watch, watches, rows, changes, time } = createSessionUnderTest();
    session.start();
    await watch().push({ type: 'events', events: said(1, 2, 3), live: false }, live);
    session.setVisible(false);
    await time.pass(6 * 60_000);
    assert.equal(watch().isAborted, true);
    assert.equal(time.count, 0);
    session.setVisible(true);
    assert.equal(watches.length, 2);
    changes.length = 0;
    await watch().push({ type: 'events', events: said(1, 2), live: false });
    assert.deepEqual(rows(), ['e1', 'e2', 'e3']);
    await watch().push({ type: 'events', events: said(3, 4), live: false }, live);
    assert.deepEqual(rows(), ['e1', 'e2', 'e3', 'e4']);
    assert.equal(changes.filter(({ type }) => type === 'rows').length, 1);
    session.dispose();
  });

  it("keeps its rows when the log can't be read again", async () => {
    const { session, watch, rows, time } = createSessionUnderTest();
    session.start();
    await watch().push({ type: 'events', events: said(1, 2), live: false }, live);
    session.setVisible(false);
    await time.pass(6 * 60_000);
    session.setVisible(true);
    await watch().push({ type: 'gap', id: 'g', error: failure('api', 'refused', 500) }, live, {
      type: 'events',
      events: said(4),
      live: true,
    });
    assert.deepEqual(rows(), ['e1', 'e2', 'gap g', 'e4']);
    await watch().push({ type: 'corrected', events: said(1, 2, 3, 4) });
    assert.deepEqual(rows(), ['e1', 'e2', 'e3', 'e4']);
    session.dispose();
  });

  it("says that it polls while the stream doesn't start, and is up to date anyway", async () => {
    const { session, watch, rows, time } = createSessionUnderTest();
    session.start();
    await time.pass(1000);
    await watch().push({ type: 'events', events: said(1, 3), live: false }, { type: 'state', state: { name: 'polling', everyMs: 10_000 } });
    assert.deepEqual([session.connection, session.isUpToDate], [{ name: 'polling', everySeconds: 10 }, true]);
    await watch().push({ type: 'corrected', events: said(0, 1, 2, 3) }, live);
    assert.deepEqual(rows(), ['e0', 'e1', 'e2', 'e3']);
    await watch().push({ type: 'corrected', events: said(3, 0, 1, 2) });
    assert.deepEqual(rows(), ['e3', 'e0', 'e1', 'e2']);
    assert.deepEqual(session.connection, { name: 'live' });
    session.dispose();
  });

  it('watches for a while after its panel is hidden, and stops at once when it is closed', async () => {
    const { session, watch, time, rows } = createSessionUnderTest();
    session.start();
    await watch().push(live);
    session.setVisible(false);
    await time.pass(60_000);
    await watch().push({ type: 'events', events: said(1), live: true });
    assert.deepEqual(rows(), ['e1']);
    session.dispose();
    await settled();
    assert.equal(watch().isAborted, true);
    assert.equal(time.count, 0);
  });

  it('watches at most four threads, and pauses the least recently shown one', async () => {
    const { session, watches } = createSessionUnderTest();
    session.start();
    for (const thread of ['a', 'b', 'c', 'd']) {
      session.openThread(thread);
      await settled();
    }
    const running = () => watches.filter(watch => !watch.isAborted).length;
    assert.equal(running(), 4);
    assert.equal(watches[1]?.isAborted, true);
    session.openThread('a');
    assert.equal(running(), 4);
    assert.equal(watches[2]?.isAborted, true);
    session.dispose();
    assert.equal(running(), 0);
  });

  it('shows the connection state of the shown thread', async () => {
    const { session, watches } = createSessionUnderTest();
    session.start();
    await watches[0]?.push(live);
    session.openThread('a');
    assert.deepEqual(session.connection, { name: 'connecting' });
    await watches[1]?.push({ type: 'state', state: { name: 'reconnecting', retryAt: 3000, attempt: 2, error: new Error('cut') } });
    assert.deepEqual(session.connection, { name: 'reconnecting', retryInMs: 3000, problem: 'cut' });
    session.openThread('');
    assert.deepEqual(session.connection, { name: 'live' });
    session.dispose();
  });

  it('stays readable when the session is deleted while it is open', async () => {
    const { session, watch, rows } = createSessionUnderTest();
    session.start();
    await watch().push({ type: 'events', events: said(1), live: false }, live);
    await watch().push(
      { type: 'events', events: [{ type: 'session.deleted', id: 'd' }], live: true },
      { type: 'state', state: { name: 'ended', reason: 'deleted' } },
    );
    assert.equal(session.view.state, 'deleted');
    assert.equal(session.view.canSend, false);
    assert.deepEqual(session.connection, { name: 'ended', reason: 'The session was deleted.' });
    assert.deepEqual(rows(), ['e1', 'd']);
    session.dispose();
  });

  it('reports a deleted session as deleted, whatever fails afterwards', async () => {
    const { session, watch, watches, service, time } = createSessionUnderTest();
    session.start();
    await time.pass(1000);
    await watch().push(live, { type: 'state', state: { name: 'ended', reason: 'deleted' } });
    watch().end();
    await settled();
    service.retrieveError = failure('not_found', 'refused', 404);
    session.recheck();
    assert.equal(watches.length, 1);
    await session.retryNow();
    await watch().push({ type: 'state', state: { name: 'ended', reason: 'unsupported', error: failure('not_found', 'refused', 404) } });
    watch().end();
    await time.pass(60_000);
    assert.equal(watches.length, 2);
    assert.match(session.connection.name === 'ended' ? session.connection.reason : '', /was deleted/);
    assert.equal(session.view.state, 'deleted');
    session.dispose();
  });

  it('notices without an event that a session is deleted or archived', async () => {
    const { session, watch, service, time } = createSessionUnderTest();
    session.start();
    await watch().push(live);
    await time.pass(5000);
    service.session = { ...service.session, archived_at: '2026-11-21T12:00:00Z' };
    await time.pass(61_000);
    assert.equal(session.view.state, 'archived');
    service.retrieveError = failure('not_found', 'refused', 404);
    await time.pass(63_000);
    assert.equal(session.view.state, 'deleted');
    session.dispose();
  });

  it('reports within seconds that a session was archived elsewhere, and closes its asks', async () => {
    const { session, watch, service, time } = createSessionUnderTest();
    session.start();
    const ask = { type: 'agent.tool_use', id: 'a', name: 'bash', input: {}, evaluated_permission: 'ask' };
    const idle = { type: 'session.status_idle', id: 'i', stop_reason: { type: 'requires_action', event_ids: ['a'] } };
    await watch().push({ type: 'events', events: [ask, idle], live: false }, live);
    await time.pass(5000);
    const [threads, files] = [service.threadsAsked, service.filesAsked];
    await time.pass(25_000);
    assert.deepEqual([service.threadsAsked, service.filesAsked], [threads, files], 'nothing was different');
    assert.equal(session.view.state, 'waiting');
    service.session = { ...service.session, archived_at: '2026-11-21T12:00:00Z' };
    await time.pass(11_000);
    assert.deepEqual([session.view.state, session.view.canSend], ['archived', false]);
    assert.deepEqual(session.connection, { name: 'ended', reason: 'This session is archived.' });
    const states = session.transcript('')?.rows.map(row => row.kind === 'tool' && row.state);
    assert.deepEqual(states, ['interrupted', false]);
    session.dispose();
  });

  it('closes the asks of an archived session only after its history was read', async () => {
    const { session, watch, service, time } = createSessionUnderTest();
    service.session = { ...service.session, archived_at: '2026-11-21T12:00:00Z' };
    session.start();
    await time.pass(5000);
    const call = { type: 'agent.tool_use', id: 'a', name: 'bash', input: {} };
    await watch().push({ type: 'events', events: [call, { type: 'span.model_request_start', id: 's' }], live: false });
    const states = () =>
      session.transcript('')?.rows.map(row => (row.kind === 'tool' ? row.state : row.kind === 'model' && row.end !== undefined));
    assert.deepEqual(states(), ['running', false]);
    await watch().push(live);
    assert.deepEqual(states(), ['interrupted', true]);
    session.dispose();
  });

  it('reads the history if nothing is received after a send, at once if there is no stream', async () => {
    const { session, watch, time } = createSessionUnderTest();
    session.start();
    await watch().push(live);
    session.log('').expectEvents();
    await watch().push({ type: 'events', events: said(1), live: true });
    await time.pass(60_000);
    assert.equal(watch().looks, 0);
    session.log('').expectEvents();
    await time.pass(4000);
    assert.equal(watch().looks, 1);
    await time.pass(60_000);
    assert.equal(watch().looks, 3);
    await watch().push({ type: 'state', state: { name: 'polling', everyMs: 10_000 } });
    session.log('').expectEvents();
    assert.equal(watch().looks, 4);
    session.dispose();
    session.log('').expectEvents();
    assert.equal(time.count, 0);
  });

  it('accepts that a session is deleted only after a second response', async () => {
    const { session, watch, service, time } = createSessionUnderTest();
    session.start();
    await watch().push(live);
    await time.pass(5000);
    const { state } = session.view;
    service.retrieveError = failure('not_found', 'refused', 404);
    const onceGone = service.retrieved + 1;
    while (service.retrieved < onceGone) {
      await time.pass(500);
    }
    assert.equal(session.view.state, state);
    service.retrieveError = undefined;
    await time.pass(3000);
    assert.ok(service.retrieved > onceGone);
    assert.equal(session.view.state, state);
    session.dispose();
  });

  it('reports a missing session, with one log entry', async () => {
    const { session, watch, warnings, service, time } = createSessionUnderTest();
    service.retrieveError = failure('not_found', 'refused', 404);
    session.start();
    const error = failure('not_found', 'refused', 404, 'no such session');
    await watch().push({ type: 'state', state: { name: 'ended', reason: 'unsupported', error } });
    watch().end();
    await time.pass(5000);
    assert.match(session.connection.name === 'ended' ? session.connection.reason : '', /Session not found/);
    assert.equal(warnings.length, 1);
    await session.retryNow();
    await watch().push({ type: 'state', state: { name: 'ended', reason: 'unsupported', error } });
    assert.equal(warnings.length, 1);
    session.dispose();
  });

  it("polls the history if the service doesn't stream", async () => {
    const { session, watch, watches, rows, time } = createSessionUnderTest();
    const unsupported = { type: 'state', state: { name: 'ended', reason: 'unsupported' } } as const;
    session.start();
    await time.pass(1000);
    await watch().push({ type: 'events', events: said(1, 2), live: false }, unsupported);
    watch().end();
    await settled();
    const connection = session.connection;
    assert.deepEqual(connection, { name: 'polling', everySeconds: 15 });
    await time.pass(15_000);
    assert.equal(watches.length, 2);
    assert.deepEqual(session.connection, connection);
    await watch().push({ type: 'events', events: said(1, 2, 3), live: false }, unsupported);
    watch().end();
    await settled();
    assert.deepEqual(rows(), ['e1', 'e2', 'e3']);
    session.setVisible(false);
    await time.pass(20_000);
    assert.equal(watches.length, 2);
    session.dispose();
    assert.equal(time.count, 0);
  });

  it("follows a change of the connection's address", async () => {
    const { session, watch, watches, surroundings } = createSessionUnderTest();
    session.start();
    await watch().push(live);
    session.recheck();
    assert.equal(watches.length, 1);
    surroundings.isEmulator = true;
    session.recheck();
    assert.equal(watches[0]?.isAborted, true);
    assert.equal(watches.length, 2);
    session.dispose();
  });

  it("reports a rejected key with the error's message, and retries on request", async () => {
    const { session, watch, watches } = createSessionUnderTest();
    session.start();
    await watch().push({
      type: 'state',
      state: { name: 'ended', reason: 'refused', error: failure('authentication', 'refused', 401, 'invalid key') },
    });
    watch().end();
    await settled();
    assert.match(session.connection.name === 'ended' ? session.connection.reason : '', /401: invalid key/);
    await session.retryNow();
    assert.equal(watches.length, 2);
    session.dispose();
  });

  it('reads nothing in an untrusted workspace before the user asks', async () => {
    const { session, watches, surroundings, service, time } = createSessionUnderTest();
    surroundings.isTrusted = false;
    session.start();
    await time.pass(70_000);
    assert.equal(watches.length, 0);
    assert.equal(service.retrieved, 0);
    assert.match(session.connection.name === 'ended' ? session.connection.reason : '', /until you trust this workspace/);
    assert.equal(session.canWrite, false);
    await session.retryNow();
    assert.equal(watches.length, 1);
    session.dispose();
  });

  it('starts when the workspace becomes trusted', async () => {
    const { session, watches, surroundings } = createSessionUnderTest();
    surroundings.isTrusted = false;
    session.start();
    surroundings.isTrusted = true;
    session.recheck();
    assert.equal(watches.length, 1);
    session.dispose();
  });

  it('never starts the emulator, but follows its start and stop', async () => {
    const { session, watches, watch, surroundings } = createSessionUnderTest();
    surroundings.isEmulator = true;
    surroundings.emulatorRuns = false;
    session.start();
    session.recheck();
    assert.equal(watches.length, 0);
    assert.equal(surroundings.starts, 0);
    assert.deepEqual(session.connection, { name: 'ended', reason: 'The emulator is stopped.' });
    surroundings.emulatorRuns = true;
    session.recheck();
    assert.equal(watches.length, 1);
    surroundings.emulatorRuns = false;
    session.recheck();
    assert.equal(watch().isAborted, true);
    await assert.rejects(watch().log.list(), /emulator is stopped/);
    assert.equal(surroundings.starts, 0);
    await session.retryNow();
    assert.equal(surroundings.starts, 1);
    assert.equal(watches.length, 2);
    session.dispose();
  });

  it("waits for a starting emulator, also one that replaces another window's", async () => {
    const { session, watches, watch, surroundings } = createSessionUnderTest();
    surroundings.isEmulator = true;
    session.start();
    surroundings.emulatorRuns = false;
    surroundings.isStarting = true;
    session.recheck();
    assert.deepEqual([watches.length, watch().isAborted], [1, false]);
    await watch().log.list();
    session.dispose();
  });

  it("finds the call of an ask in another thread's log", async () => {
    const { session, service, watch } = createSessionUnderTest();
    service.threadLogs.set('thr_a', [{ type: 'agent.tool_use', id: 'call', input: { command: 'ls' } }]);
    session.start();
    await watch().push(live);
    const found = await session.findEvent('call', 'thr_a', new AbortController().signal);
    assert.deepEqual(found?.input, { command: 'ls' });
    assert.equal(await session.findEvent('nowhere', 'thr_a', new AbortController().signal), undefined);
    session.dispose();
  });

  it('returns the same view object while nothing in it changes', async () => {
    const { session, watch } = createSessionUnderTest();
    session.start();
    await watch().push(live, { type: 'events', events: said(1), live: true });
    const { view } = session;
    await watch().push({ type: 'events', events: said(2), live: true });
    assert.equal(session.view, view);
    await watch().push({ type: 'events', events: [{ type: 'session.status_running', id: 'r' }], live: true });
    assert.notEqual(session.view, view);
    session.dispose();
  });
});
