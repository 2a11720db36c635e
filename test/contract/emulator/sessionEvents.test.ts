import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { Fault } from '../../../src/emulator/faults';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { call, contractHeaders, openStream, SessionOnEmulator } from '../../helpers/emulatorClient';

describe('emulator/sessions/sessionEventRoutes', () => {
  let emulator: Emulator;

  beforeEach(async () => {
    emulator = await startEmulator({ scenario: { sessionPause: 0 } });
  });
  afterEach(() => emulator.stop());

  const start = (agent = 'Researcher') => SessionOnEmulator.start(emulator, agent);
  const events = (id: string, query = '') => `/v1/sessions/${id}/events?beta=true${query}`;
  const streamOf = (id: string, query = '') => openStream(emulator, `/v1/sessions/${id}/events/stream?beta=true${query}`);
  const message = (text: string) => ({ type: 'user.message', content: [{ type: 'text', text }] });
  const fault = (...faults: Fault[]) => emulator.setScenario({ faults });

  describe('history', () => {
    it('returns pages in either order, each event once', async () => {
      const session = await start();
      await session.say('storm 0 2500');
      const all = await session.events();
      const walk = async (order: string) => {
        const ids: string[] = [];
        for (let page = ''; ; ) {
          const query = `&limit=400&order=${order}${page === '' ? '' : `&page=${encodeURIComponent(page)}`}`;
          const { json } = await call(emulator, 'GET', events(session.id, query));
          ids.push(...json.data.map(({ id }: { id: string }) => id));
          if (json.next_page === null) {
            return ids;
          }
          page = json.next_page;
        }
      };
      const ids = all.map(({ id }) => id);
      assert.deepEqual(await walk('asc'), ids);
      assert.deepEqual(await walk('desc'), [...ids].reverse());
    });

    it('continues at the same position when events are added in between', async () => {
      const session = await start();
      await emulator.appendEvents(session.id, [{ type: 'a' }, { type: 'b' }, { type: 'c' }]);
      const first = (await call(emulator, 'GET', events(session.id, '&limit=2'))).json;
      await emulator.appendEvents(session.id, [{ type: 'd' }]);
      const rest = (await call(emulator, 'GET', events(session.id, `&limit=2&page=${encodeURIComponent(first.next_page)}`))).json;
      assert.deepEqual(
        [...first.data, ...rest.data].map(({ type }) => type),
        ['a', 'b', 'c', 'd'],
      );
    });

    it('is filtered by type and by time', async () => {
      const session = await start();
      await session.say('think');
      const { now } = (await call(emulator, 'POST', '/_emulator/clock', { advance: 5000 })).json;
      await session.say('think');
      const types = await session.events('types[]=agent.thinking&types[]=agent.message&order=asc');
      assert.deepEqual(new Set(types.map(({ type }) => type)), new Set(['agent.thinking', 'agent.message']));
      const late = await session.events(`order=asc&created_at[gte]=${now}`);
      assert.equal(late[0]?.type, 'user.message');
      assert.equal(late.length * 2, (await session.events()).length);
      assert.deepEqual(await session.events('types[]=no.such.type'), []);
    });

    it('rejects invalid filters and foreign cursors', async () => {
      const session = await start();
      await session.say('think');
      const { next_page } = (await call(emulator, 'GET', events(session.id, '&limit=1&order=asc'))).json;
      for (const query of [
        'order=up',
        'limit=0',
        'limit=1001',
        'page=x',
        'created_at[gt]=now',
        'what=ever',
        `order=desc&page=${next_page}`,
      ]) {
        const answer = await call(emulator, 'GET', events(session.id, `&${query}`));
        assert.deepEqual([answer.status, answer.json.error?.type], [400, 'invalid_request_error'], query);
      }
    });
  });

  describe('sending', () => {
    it('returns the stored events, in order', async () => {
      const session = await start();
      const { json } = await session.send({ type: 'system.message', content: [{ type: 'text', text: 'Be brief.' }] }, message('think'));
      assert.deepEqual(
        json.data.map(({ type, processed_at }: { type: string; processed_at: unknown }) => [type, processed_at]),
        [
          ['system.message', null],
          ['user.message', null],
        ],
      );
      const stored = await session.events();
      assert.deepEqual(
        stored.slice(0, 2).map(({ id }) => id),
        json.data.map(({ id }: { id: string }) => id),
      );
      assert.ok(stored.every(({ processed_at }) => typeof processed_at === 'string'));
    });

    it('stores nothing if one event is invalid, and names the field', async () => {
      const session = await start();
      for (const [sent, expected] of [
        [undefined, /^events is required$/],
        [[], /^events must be a non-empty array$/],
        [[{ type: 'agent.message', content: [] }], /^events.0.type: event type is not accepted/],
        [[{ type: 'user.message', content: 'text' }], /^events.0.content: /],
        [[message('fine'), { type: 'user.message', content: [] }], /^events.1.content: /],
        [[{ type: 'user.message', content: [{ type: 'text', text: '' }] }], /^events.0.content.0.text: /],
        [[{ type: 'user.message', content: [{ type: 'redacted' }] }], /^events.0.content.0.type: /],
        [[{ type: 'user.tool_confirmation', tool_use_id: 'x', result: 'perhaps' }], /^events.0.result: /],
        [[{ type: 'user.tool_confirmation', tool_use_id: 'x', result: 'allow', deny_message: 'no' }], /^events.0.deny_message: /],
        [[{ type: 'user.tool_confirmation', tool_use_id: 'sevt_x', result: 'allow' }], /^events.0.tool_use_id: no call/],
        [[{ type: 'user.custom_tool_result' }], /^events.0.custom_tool_use_id: Field required/],
        [[{ type: 'user.define_outcome', description: 'x' }], /^events.0.rubric: /],
        [[{ type: 'system.message', content: [] }], /^events.0.content: /],
        [[null], /^events.0.type: /],
      ] as const) {
        const answer = await call(emulator, 'POST', events(session.id), { events: sent });
        assert.equal(answer.status, 400);
        assert.match(answer.json.error.message, expected);
      }
      assert.deepEqual(await session.events(), []);
    });

    it('accepts images and documents', async () => {
      const session = await start();
      const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
      const document = { type: 'document', title: 'Notes', source: { type: 'text', media_type: 'text/plain', data: 'x' } };
      const { json, status } = await session.send({ type: 'user.message', content: [image, document] });
      assert.equal(status, 200);
      assert.deepEqual(json.data[0].content, [image, document]);
    });
  });

  describe('streams', () => {
    it('send events that are stored after they were opened, as frames without an ID', async () => {
      const session = await start();
      await session.say('think');
      const before = (await session.events()).length;
      const stream = await streamOf(session.id);
      await session.say('bash ls');
      await stream.until(({ events: read }) => read.at(-1)?.type === 'session.status_idle');
      stream.close();
      assert.equal(stream.frames[0], ': connected');
      for (const frame of stream.frames.slice(1)) {
        const [, name, data] = /^event: (.+)\ndata: (.+)$/.exec(frame) ?? [];
        assert.equal(JSON.parse(data ?? '').type, name);
      }
      const last = new Map(stream.events.map(event => [event.id, event]));
      assert.deepEqual([...last.values()], (await session.events()).slice(before));
    });

    it('send an event again when its processed_at is filled in', async () => {
      const session = await start();
      const stream = await streamOf(session.id);
      await session.say('think');
      await stream.until(({ events: read }) => read.at(-1)?.type === 'session.status_idle');
      stream.close();
      const messages = stream.events.filter(({ type }) => type === 'user.message');
      assert.deepEqual([messages.length, messages[0]?.id, messages[0]?.processed_at], [2, messages[1]?.id, null]);
      assert.ok(messages[1]?.processed_at);
    });

    it('preview messages and thinking only for clients that ask', async () => {
      const session = await start();
      const plain = await streamOf(session.id);
      const both = await streamOf(session.id, '&event_deltas[]=agent.message&event_deltas%5B%5D=agent.thinking');
      const thoughts = await streamOf(session.id, '&event_deltas[]=agent.thinking');
      await session.say('think');
      await Promise.all(
        [plain, both, thoughts].map(stream => stream.until(({ events: read }) => read.at(-1)?.type === 'session.status_idle')),
      );
      const isPreview = ({ type }: { type: string }) => type === 'event_start' || type === 'event_delta';
      assert.deepEqual(plain.events.filter(isPreview), []);
      assert.deepEqual(
        thoughts.events.filter(isPreview).map(({ event }) => (event as { type: string }).type),
        ['agent.thinking', 'agent.thinking'],
      );
      const final = both.events.find(({ type }) => type === 'agent.message');
      const deltas = both.events.filter(({ type, event_id }) => type === 'event_delta' && event_id === final?.id);
      assert.ok(deltas.length > 2);
      assert.equal(
        deltas.map(({ delta }) => (delta as { content: { text: string } }).content.text).join(''),
        (final?.content as { text: string }[] | undefined)?.[0]?.text,
      );
      assert.ok(both.events.some(({ type, event }) => type === 'event_start' && (event as { id: string }).id === final?.id));
      assert.ok((await session.types()).every(type => !type.startsWith('event_')));
      for (const stream of [plain, both, thoughts]) {
        stream.close();
      }
    });

    it('reject previews for anything else with a JSON error', async () => {
      const session = await start();
      const path = `/v1/sessions/${session.id}/events/stream?beta=true&event_deltas[]=`;
      for (const bad of ['agent.tool_use', `agent.message${'&event_deltas[]=agent.message'.repeat(100)}`]) {
        const answer = await call(emulator, 'GET', path + bad);
        assert.deepEqual([answer.status, answer.json.error.type], [400, 'invalid_request_error']);
      }
    });

    it('send keep-alives when nothing happens', async () => {
      const session = await start();
      const stream = await streamOf(session.id);
      await emulator.advanceClock(15_000);
      await stream.until(({ frames }) => frames.length === 2);
      await emulator.advanceClock(15_000);
      await stream.until(({ frames }) => frames.length === 3);
      stream.close();
      assert.deepEqual(stream.frames, [': connected', ': keepalive', ': keepalive']);
      emulator.setScenario({ serverStyle: 'serverB', keepaliveSeconds: 2 });
      const other = await streamOf(session.id);
      await emulator.advanceClock(2000);
      await other.until(({ frames }) => frames.length === 2);
      other.close();
      assert.equal(other.frames[1], 'event: ping\ndata: {"type":"ping"}');
    });

    it('carry the events and previews of their thread only', async () => {
      const session = await start('Coordinator');
      await session.say('delegate ask');
      const { id: asked, session_thread_id: thread } = await session.last('agent.tool_use');
      const deltas = '&event_deltas[]=agent.message';
      const child = await openStream(emulator, `/v1/sessions/${session.id}/threads/${thread}/stream?beta=true${deltas}`);
      const whole = await streamOf(session.id, deltas);
      await session.send({ type: 'user.tool_confirmation', tool_use_id: asked, result: 'allow' });
      await whole.until(({ events: read }) => read.at(-1)?.type === 'session.status_idle');
      await child.until(({ events: read }) => read.at(-1)?.type === 'session.thread_status_idle');
      child.close();
      whole.close();
      const stored = await session.events('order=asc', String(thread));
      const live = child.events.filter(({ id }) => id !== undefined).map(({ id }) => id);
      assert.deepEqual(
        live,
        stored.slice(-live.length).map(({ id }) => id),
      );
      const previewed = (stream: typeof child) =>
        new Set(stream.events.filter(({ type }) => type === 'event_start').map(({ event }) => (event as { id: string }).id));
      assert.equal(previewed(child).size, 1);
      assert.ok([...previewed(child)].every(id => !previewed(whole).has(id)));
    });

    it('stay open after the session is deleted if the server style says so', async () => {
      emulator.setScenario({ serverStyle: 'serverA' });
      const session = await start();
      const stream = await streamOf(session.id);
      await call(emulator, 'DELETE', `/v1/sessions/${session.id}?beta=true`);
      await stream.until(({ events: read }) => read.at(-1)?.type === 'session.deleted');
      await emulator.advanceClock(15_000);
      await stream.until(({ frames }) => frames.at(-1) === ': keepalive');
      stream.close();
    });

    it('are cut if their reader is too slow, without affecting others', async () => {
      emulator.setScenario({ streamBacklog: 4_000_000 });
      const session = await start();
      const request = http.get(`${emulator.url}/v1/sessions/${session.id}/events/stream?beta=true`, {
        headers: contractHeaders(emulator.key),
      });
      const [slow] = await once(request, 'response');
      const quick = await streamOf(session.id);
      slow.pause();
      const closed = once(request.socket ?? slow, 'close');
      let sent = 0;
      while (emulator.openStreams === 2 && sent < 200) {
        await emulator.appendEvents(session.id, [{ type: 'agent.message', content: [{ type: 'text', text: 'x'.repeat(1_000_000) }] }]);
        sent++;
        await quick.until(({ events: read }) => read.length === sent);
      }
      assert.ok(sent < 200, 'never cut');
      slow.on('error', () => undefined).resume();
      await closed;
      assert.equal(emulator.openStreams, 1);
      quick.close();
    });

    it('are counted, and end with their readers and with the emulator', async () => {
      const session = await start();
      const one = await streamOf(session.id);
      const two = await streamOf(session.id);
      assert.equal((await call(emulator, 'GET', '/_emulator/streams')).json.open, 2);
      one.close();
      await one.ended;
      while (emulator.openStreams > 1) {
        await new Promise(resolve => setImmediate(resolve));
      }
      await emulator.stop();
      assert.equal(await two.ended, 'cut');
      assert.equal(emulator.openStreams, 0);
    });

    it('send 20,000 events while they are created, each once and in order', async () => {
      const session = await start();
      const stream = await streamOf(session.id);
      const { json } = await call(emulator, 'POST', `/_emulator/sessions/${session.id}/storm`, { count: 20_000 });
      assert.equal(json.count, 20_000);
      await stream.until(({ events: read }) => read.length === 20_000);
      stream.close();
      assert.deepEqual(
        stream.events.map(({ id }) => id),
        (await session.events()).map(({ id }) => id),
      );
    });
  });

  describe('faults', () => {
    const say = async (session: SessionOnEmulator) => void (await session.say('steps 2'));

    it('cut a stream after a number of events, and the next one too', async () => {
      const session = await start();
      fault({ name: 'cutStream', count: 4 });
      for (let n = 0; n < 2; n++) {
        const stream = await streamOf(session.id);
        await say(session);
        assert.deepEqual([await stream.ended, stream.events.length], ['cut', 4]);
      }
    });

    it('cut a stream after a number of bytes, at any position', async () => {
      const session = await start();
      fault({ name: 'cutStream', bytes: 333, times: 1 });
      const stream = await streamOf(session.id);
      await say(session);
      assert.equal(await stream.ended, 'cut');
      assert.ok(stream.frames.join('\n\n').length <= 333);
      const other = await streamOf(session.id);
      await say(session);
      await other.until(({ events: read }) => read.at(-1)?.type === 'session.status_idle');
      other.close();
    });

    it('end a stream cleanly after its time', async () => {
      const session = await start();
      fault({ name: 'cutStream', seconds: 600 });
      const stream = await streamOf(session.id);
      await emulator.advanceClock(600_000);
      assert.equal(await stream.ended, 'ended');
    });

    it('send events twice, unknown and broken ones, and a huge one', async () => {
      const session = await start();
      fault(
        { name: 'duplicateEvents', count: 3 },
        { name: 'unknownEvents', count: 5 },
        { name: 'brokenEvents', count: 7 },
        { name: 'hugeEvent', count: 2, bytes: 500_000 },
      );
      const stream = await streamOf(session.id);
      await say(session);
      await stream.until(({ events: read }) => read.some(({ type }) => type === 'session.status_idle'));
      stream.close();
      const count = (type: string) => stream.events.filter(event => event.type === type).length;
      assert.ok(count('vendor.never_heard_of') > 1 && count('broken') > 1);
      assert.equal(count('vendor.huge'), 1);
      const twice = stream.events.filter(
        (event, at) => at > 0 && event.id !== '' && JSON.stringify(event) === JSON.stringify(stream.events[at - 1]),
      );
      assert.ok(twice.length > 3, String(twice.length));
      const stored = new Set((await session.events()).map(({ id }) => id));
      assert.deepEqual(new Set(stream.events.flatMap(({ id }) => (stored.has(id) ? [id] : []))), stored);
    });

    it('stall a stream: it stays open and sends nothing more', async () => {
      const session = await start();
      fault({ name: 'stall', bytes: 40, route: 'sessions.events.stream' });
      const stream = await streamOf(session.id);
      await say(session);
      await emulator.advanceClock(60_000);
      assert.deepEqual([stream.events.length, emulator.openStreams], [0, 1]);
      stream.close();
      await stream.ended;
    });

    it('fail the history alone, or everything below a path', async () => {
      const session = await start();
      fault({ name: 'serverError', route: 'sessions.events.list' });
      assert.equal((await call(emulator, 'GET', events(session.id))).status, 500);
      (await streamOf(session.id)).close();
      fault({ name: 'notFound', route: 'sessions' });
      for (const path of ['/v1/sessions', `/v1/sessions/${session.id}`, `/v1/sessions/${session.id}/events/stream`]) {
        const answer = await call(emulator, 'GET', `${path}?beta=true`);
        assert.deepEqual([answer.status, answer.json.error.type], [404, 'not_found_error']);
      }
      assert.equal((await call(emulator, 'GET', '/v1/agents?beta=true')).status, 200);
    });

    it('cut all streams at once on request', async () => {
      const session = await start();
      const streams = [await streamOf(session.id), await streamOf(session.id)];
      await call(emulator, 'DELETE', '/_emulator/streams');
      assert.deepEqual(await Promise.all(streams.map(({ ended }) => ended)), ['cut', 'cut']);
    });
  });

  describe('controls', () => {
    it('store events unchanged on the log of a session or of a thread', async () => {
      const session = await start('Coordinator');
      await session.say('delegate');
      const child = String((await session.last('session.thread_created')).session_thread_id);
      const raw = { type: 'vendor.odd', id: 'sevt_mine', processed_at: null, deep: { er: [1] } };
      const path = `/_emulator/sessions/${session.id}/events`;
      assert.deepEqual((await call(emulator, 'POST', path, { events: [raw] })).json.data, [raw]);
      await call(emulator, 'POST', path, { events: [{ type: 'vendor.child' }], thread_id: child });
      assert.deepEqual((await session.events()).at(-1), raw);
      assert.equal((await session.types(child)).at(-1), 'vendor.child');
      assert.equal((await call(emulator, 'POST', path, { events: [{}] })).status, 400);
      assert.equal((await call(emulator, 'POST', '/_emulator/sessions/gone/events', { events: [] })).status, 404);
    });
  });
});
