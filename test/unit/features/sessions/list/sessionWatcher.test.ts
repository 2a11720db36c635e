import assert from 'node:assert/strict';
import { failing, hour, World } from './watchedSessions';

describe('features/sessions/list/sessionWatcher', () => {
  let world: World;
  const follow = (sessionId: string) => world.followed.follow({ connection: 'A', sessionId }, world.now);

  beforeEach(() => {
    world = new World();
  });

  it('finds all asks in an active window, even if the view is hidden and only one session is followed', async () => {
    world.used = true;
    for (let number = 0; number < 11; number++) {
      world.add(`s${number}`, 'idle', [`e${number}`]);
    }
    await follow('s1');
    await world.look();
    assert.equal(world.store.waiting().length, 11);
    world.now += 30_000;
    world.asked();
    await world.look();
    assert.deepEqual(world.asked(), ['retrieve s1']);
    world.now += 30_000;
    await world.look();
    assert.deepEqual(world.asked(), ['list']);
    world.used = false;
    world.now += 60_000;
    await world.look();
    assert.deepEqual(world.asked(), ['retrieve s1']);
  });

  it('sends no requests while nobody uses the window and no session is followed', async () => {
    world.add('s');
    assert.equal(await world.look(), undefined);
    assert.deepEqual(world.asked(), []);
  });

  it('sends no requests from an untrusted workspace, or for a stopped emulator', async () => {
    world.watched = true;
    world.add('s');
    await follow('s');
    world.trusted = false;
    assert.equal(await world.look(), undefined);
    world.trusted = true;
    world.reachable = false;
    assert.equal(await world.look(), undefined);
    assert.deepEqual(world.asked(), []);
  });

  it('reads the events of a session once, and again when it changed', async () => {
    world.watched = true;
    world.add('w', 'idle', ['e1']);
    world.add('i');
    await world.look();
    assert.deepEqual(world.asked().sort(), ['events i', 'events w', 'list']);
    assert.deepEqual(
      world.store.groups().map(({ name, sessions }) => [name, sessions[0]?.name]),
      [
        ['needsYou', 'words of w'],
        ['done', 'words of i'],
      ],
    );
    await world.look();
    assert.deepEqual(world.asked(), ['list']);
    world.change('w', { status: 'running' });
    world.events.get('w')?.push({ type: 'user.tool_confirmation', tool_use_id: 'e1' });
    await world.look();
    assert.deepEqual(world.asked(), ['list', 'events w']);
    assert.deepEqual(
      world.store.groups().map(({ name }) => name),
      ['running', 'done'],
    );
  });

  it('reads no events of archived sessions or sessions open in a panel, and those of an ended one once', async () => {
    world.watched = true;
    world.add('a');
    world.change('a', { archived_at: '2026-11-21T11:00:00Z' });
    world.add('t', 'terminated');
    world.add('o');
    world.opened.add('o');
    await world.look();
    assert.deepEqual(world.asked(), ['list', 'events t']);
    await world.look();
    assert.deepEqual(world.asked(), ['list']);
  });

  it('reads at most four logs at once and a bounded number per round, the rest soon after', async () => {
    world.watched = true;
    for (let number = 0; number < 30; number++) {
      world.add(`s${number}`);
    }
    const delay = await world.look();
    assert.equal(world.asked().length, 1 + 24);
    assert.equal(world.maxUnderWay, 4);
    assert.ok(delay !== undefined && delay < 1_000);
    await world.look();
    assert.deepEqual(
      world.asked().map(call => call.split(' ')[0]),
      Array(6).fill('events'),
    );
  });

  it('finds the first words of a long untitled session, once, after all others were read', async () => {
    world.watched = true;
    const addLong = (id: string, title?: string) => {
      world.add(id);
      const more = Array.from({ length: 60 }, (_, at) => ({ type: 'session.status_idle', id: `${id}-${at}` }));
      world.events.set(
        id,
        [...(world.events.get(id) ?? []), ...more].map((event, seq) => ({ ...event, seq })),
      );
      world.change(id, { title: title ?? null });
    };
    addLong('long');
    addLong('titled', 'Deploy');
    for (let number = 0; number < 24; number++) {
      world.add(`s${number}`);
    }
    await world.look();
    assert.equal(world.asked().includes('first events long'), false);
    await world.look();
    assert.deepEqual(
      world.asked().filter(call => call.startsWith('first')),
      ['first events long'],
    );
    const nameOf = (id: string) => world.store.find({ connection: 'A', sessionId: id })?.name;
    assert.deepEqual([nameOf('long'), nameOf('titled'), nameOf('s23')], ['words of long', 'Deploy', 'words of s23']);
    world.change('long', { status: 'running' });
    world.now += 20_000;
    await world.look();
    assert.deepEqual(world.asked().sort(), ['events long', 'list']);
    assert.equal(nameOf('long'), 'words of long');
    world.store.reset('A');
    world.now += 20_000;
    await world.look();
    await world.look();
    assert.equal(nameOf('long'), 'words of long');
  });

  it("doesn't mistake later words for the first if the service ignores the order", async () => {
    world.watched = true;
    world.keepsOrder = false;
    world.add('long');
    const said = Array.from({ length: 60 }, (_, seq) => ({
      type: 'user.message',
      id: `m${seq}`,
      seq,
      content: [{ type: 'text', text: `${seq}` }],
    }));
    world.events.set('long', [...said, { type: 'session.status_idle', id: 'idle', seq: 60 }]);
    await world.look();
    await world.look();
    assert.equal(world.asked().filter(call => call === 'first events long').length, 1);
    assert.equal(world.store.find({ connection: 'A', sessionId: 'long' })?.name, undefined);
  });

  it('polls faster while something runs', async () => {
    world.watched = true;
    world.add('i');
    const idle = await world.look();
    world.add('r', 'running');
    const running = await world.look();
    assert.ok(idle !== undefined && running !== undefined && running < idle);
  });

  it('polls a visible view often enough to show a new session within ten seconds', async () => {
    world.watched = true;
    const delay = await world.look();
    assert.ok(delay !== undefined && delay < 10_000);
  });

  it('notices a session that started to run after the delay was chosen', async () => {
    world.watched = true;
    world.add('a');
    await world.look();
    assert.equal(world.watcher.isOutrun, false);
    world.store.facts.take('A', [{ id: 'a', type: 'session', status: 'running' }], world.now + 1);
    assert.equal(world.watcher.isOutrun, true);
    world.change('a', { status: 'running' });
    world.now += 10;
    await world.look();
    assert.equal(world.watcher.isOutrun, false);
  });

  it('polls a running session that is no longer on the listed pages', async () => {
    world.watched = true;
    world.add('a', 'running');
    await world.look();
    world.offPage.add('a');
    await follow('a');
    world.opened.add('a');
    world.change('a', { status: 'idle' });
    world.now += 5_000;
    await world.look();
    assert.equal(world.store.find({ connection: 'A', sessionId: 'a' })?.session.status, 'idle');
  });

  it("continues listing when one session's events can't be read", async () => {
    world.watched = true;
    world.add('s');
    world.eventsFailure = failing({ kind: 'not_found', status: 404 });
    await world.look();
    assert.equal(world.store.list.problem, undefined);
    assert.equal(world.store.state, 'filled');
    world.asked();
    await world.look();
    assert.deepEqual(world.asked(), ['list']);
  });

  it('backs off when the service fails, keeps the rows, and polls at once on request', async () => {
    world.watched = true;
    world.add('s');
    await world.look();
    world.failure = failing({ kind: 'rate_limit', retryAfter: 90_000 });
    assert.equal(await world.look(), 90_000);
    assert.equal(world.store.state, 'filled');
    assert.notEqual(world.store.list.problem, undefined);
    world.asked();
    assert.equal(await world.look(), 90_000);
    assert.deepEqual(world.asked(), []);
    world.failure = undefined;
    world.watcher.forgetWait();
    await world.look();
    assert.deepEqual(world.asked(), ['list']);
  });

  it('polls a service without sessions once, and again on request', async () => {
    world.watched = true;
    world.failure = failing({ kind: 'not_found', status: 404 });
    assert.equal(await world.look(), undefined);
    assert.equal(world.store.state, 'unsupported');
    assert.equal(await world.look(), undefined);
    assert.deepEqual(world.asked(), ['list']);
    world.watcher.forgetWait();
    world.failure = undefined;
    world.add('s');
    assert.notEqual(await world.look(), undefined);
    assert.equal(world.store.state, 'filled');
  });

  it('polls followed sessions in the background and reports their asks', async () => {
    world.add('s', 'idle', ['e1']);
    await follow('s');
    assert.equal(await world.look(), 5_000);
    assert.deepEqual(world.asked(), ['retrieve s', 'events s']);
    assert.deepEqual(world.looked, ['s: e1']);
    world.now += 5_000;
    await world.look();
    assert.deepEqual(world.asked(), ['retrieve s']);
    world.now += 20 * 60_000;
    assert.equal(await world.look(), 60_000);
  });

  it("doesn't retrieve listed sessions, or those open in a panel", async () => {
    world.watched = true;
    world.add('s', 'idle', ['e1']);
    await follow('s');
    await world.look();
    assert.deepEqual(world.asked(), ['list', 'events s']);
    assert.deepEqual(world.looked, ['s: e1']);
    world.watched = false;
    world.opened.add('s');
    assert.equal(await world.look(), 60_000);
    assert.deepEqual(world.asked(), []);
    world.opened.delete('s');
    world.now += 5_000;
    await world.look();
    assert.deepEqual(world.asked(), ['retrieve s']);
  });

  it('stops polling a session that idles for half an hour, but not a waiting one', async () => {
    world.add('rests');
    world.add('waits', 'idle', ['e1']);
    await follow('rests');
    await follow('waits');
    world.now += 29 * 60_000;
    await world.look();
    assert.equal(world.followed.active().length, 2);
    world.now += 2 * 60_000;
    await world.look();
    assert.deepEqual(
      world.followed.active().map(({ sessionId }) => sessionId),
      ['waits'],
    );
    world.now += 25 * hour;
    await world.look();
    assert.deepEqual(world.followed.active(), []);
  });

  it('polls an active session longer', async () => {
    world.add('s');
    await follow('s');
    await world.look();
    world.now += 29 * 60_000;
    world.change('s', { usage: { output_tokens: 9 } });
    await world.look();
    world.now += 2 * 60_000;
    await world.look();
    assert.equal(world.followed.active().length, 1);
  });

  it('stops polling ended and deleted sessions', async () => {
    world.add('archived');
    world.change('archived', { archived_at: '2026-11-21T11:00:00Z' });
    world.add('terminated', 'terminated');
    for (const id of ['archived', 'terminated', 'gone']) {
      await follow(id);
    }
    assert.equal(await world.look(), undefined);
    assert.deepEqual(world.followed.active(), []);
    assert.equal(world.followed.find({ connection: 'A', sessionId: 'gone' }), undefined);
  });

  it('polls each of a hundred followed sessions fairly, within a budget', async () => {
    const names = Array.from({ length: 100 }, (_, number) => `s${number}`);
    for (const name of names) {
      world.add(name, 'idle', ['e1']);
      await follow(name);
    }
    const began = world.now;
    const counts = new Map<string, number>();
    while (world.now - began < 10 * 60_000) {
      world.now += (await world.look()) ?? assert.fail('nothing to look after');
      for (const call of world.asked().filter(one => one.startsWith('retrieve'))) {
        counts.set(call, (counts.get(call) ?? 0) + 1);
      }
    }
    assert.deepEqual([...counts.keys()].sort(), names.map(name => `retrieve ${name}`).sort());
    // A new window has 360 requests in its budget, and gets 120 more each minute.
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    assert.ok(all <= 360 + 10 * 120, `${all} requests in ten minutes`);
    assert.ok(Math.min(...counts.values()) * 2 >= Math.max(...counts.values()), JSON.stringify([...counts]));
  });

  it('polls less when other components use the same budget', async () => {
    for (let number = 0; number < 100; number++) {
      world.add(`s${number}`, 'idle', ['e1']);
      await follow(`s${number}`);
    }
    world.watcher.spend(480);
    await world.look();
    assert.deepEqual(world.asked(), []);
    world.now += 61_000;
    await world.look();
    assert.ok(world.asked().length > 0);
  });

  it('polls a quiet session less often than a new one', async () => {
    world.add('old', 'idle', ['e1']);
    await follow('old');
    world.now += 10 * 60_000;
    world.add('new', 'idle', ['e1']);
    await follow('new');
    await world.look();
    world.asked();
    for (const _ of [1, 2, 3]) {
      world.now += (await world.look()) ?? assert.fail('nothing to look after');
    }
    assert.deepEqual(new Set(world.asked()), new Set(['retrieve new']));
  });

  it('ends a round at once when it is canceled', async () => {
    world.watched = true;
    for (let number = 0; number < 20; number++) {
      world.add(`s${number}`);
    }
    const controller = new AbortController();
    const look = world.watcher.poll(controller.signal);
    controller.abort();
    assert.equal(await look, undefined);
    assert.ok(world.asked().length < 10);
  });
});
