import assert from 'node:assert/strict';
import type { WatchState } from '../../../../src/client/events/watchUpdates';
import { FakeEventLog, type FakeService, serviceError } from '../fakeEventLog';
import { idsOf, many, message, settle, useWatches } from './watchedLog';

describe('client/events/eventStream (history)', () => {
  const start = useWatches();

  it('works without a stream ID that the service has forgotten', async () => {
    for (const status of [400, 404, 410]) {
      const log = new FakeEventLog();
      log.lastEventId = '7';
      log.write(message('e1'));
      const { clock, transcript } = start(log, { previews: ['agent.message'] });
      await settle();
      log.cut(0);
      await settle();
      log.attachFailures.push(serviceError(status));
      clock.next();
      await settle();
      assert.deepEqual([status, transcript.state?.name], [status, 'live']);
      assert.deepEqual(
        log.streamCalls.map(({ lastEventId, previews }) => [lastEventId, previews]),
        [undefined, '7', undefined].map(id => [id, ['agent.message']]),
      );
      log.cut(0);
      await settle();
      log.attachFailures.push(serviceError(404), serviceError(404));
      clock.next();
      await settle();
      const { state }: { readonly state: WatchState | undefined } = transcript;
      assert.ok(state?.name === 'ended' && state.reason === 'deleted');
    }
  });

  it("orders repeated events while the history can't be read, and the others around them", async () => {
    const log = new FakeEventLog();
    log.write(...many(5));
    const { transcript, clock } = start(log);
    await settle();
    log.cut(0);
    await settle();
    log.events.push(...many(4, 6));
    log.listFailures = 1;
    clock.next();
    await settle();
    log.send(...many(1, 7));
    log.write(...many(1, 10));
    await settle();
    assert.deepEqual(transcript.line.slice(5), ['gap', 'e7', 'e10']);
    clock.next();
    await settle();
    assert.deepEqual(transcript.line, idsOf(log.events));
  });

  it('moves repeated events from behind newer ones to their position, with their new bodies', async () => {
    const log = new FakeEventLog();
    log.write(...many(5));
    const { transcript, clock } = start(log);
    await settle();
    log.cut(0);
    await settle();
    log.events.push({ ...message('e6'), processed_at: null }, ...many(3, 7));
    log.listFailures = 1;
    clock.next();
    await settle();
    log.write(...many(2, 10));
    log.process(5);
    log.send(...many(1, 8));
    await settle();
    assert.deepEqual(transcript.line.slice(5), ['gap', 'e10', 'e11', 'e6', 'e8']);
    clock.next();
    await settle();
    assert.deepEqual(transcript.line, idsOf(log.events));
    assert.deepEqual(transcript.events, log.events);
  });

  it('orders events when pages overlap because the log grows while a gap is read', async () => {
    for (const [pageSize, grow] of [4, 5, 6, 7].flatMap(size => [1, 2, 3, 4, 5, 9].map(more => [size, more] as const))) {
      let isReading = false;
      let count = 0;
      const log: FakeEventLog = new FakeEventLog({ order: 'heeds', pageSize, pagesByOffset: true }, async label => {
        if (label === 'list answered' && isReading) {
          isReading = false;
          log.write(...many(grow, count + 1));
          count += grow;
          await settle();
        }
      });
      const { transcript, clock } = start(log);
      const write = async (isLive: boolean, size: number) => {
        const events = many(size, count + 1);
        count += size;
        await (isLive ? log.write(...events) : log.events.push(...events));
        await settle();
      };
      await write(true, 12);
      for (const [missed, given] of [
        [1, 2],
        [1, 1],
        [2, 3],
      ] as const) {
        log.cut(100);
        await settle();
        await write(false, missed);
        log.listFailures = 1;
        clock.next();
        await settle();
        await write(true, given);
      }
      isReading = true;
      for (let attempt = 0; attempt < 20 && transcript.gaps.length > 0; attempt++) {
        if (clock.sleeping > 0) {
          clock.next();
        }
        await settle();
      }
      assert.deepEqual(transcript.line, idsOf(log.events), `${grow} more on pages of ${pageSize}`);
    }
  });

  it('reads back only missed events', async () => {
    const log = new FakeEventLog();
    log.write(...many(20_000));
    const { transcript, clock } = start(log);
    await settle();
    assert.equal(log.listCalls.length, 20);
    log.cut(0);
    log.write(...many(1500, 20_001));
    await settle();
    clock.next();
    await settle();
    assert.deepEqual(transcript.line, idsOf(log.events));
    const again = log.listCalls.slice(20);
    assert.deepEqual(
      again.map(({ order }) => order),
      ['desc', 'desc'],
    );
  });

  it('continues with the last page if events are listed oldest first only', async () => {
    const log = new FakeEventLog({ order: 'oldestFirst', pageSize: 1000 });
    log.write(...many(20_000));
    const { transcript, clock } = start(log);
    await settle();
    const before = log.listCalls.length;
    for (const from of [20_001, 21_501]) {
      log.cut(0);
      log.write(...many(1500, from));
      await settle();
      clock.next();
      await settle();
    }
    assert.deepEqual(transcript.line, idsOf(log.events));
    assert.ok(log.listCalls.length - before <= 9, `${log.listCalls.length - before}`);
  });

  it('tries smaller pages, and restarts if a cursor is rejected', async () => {
    const log = new FakeEventLog({ order: 'heeds', pageSize: 1000, maxLimit: 100 });
    log.write(...many(150));
    const { transcript } = start(log);
    await settle();
    assert.deepEqual(
      log.listCalls.map(({ limit }) => limit),
      [1000, 100, 100],
    );
    assert.deepEqual(transcript.line, idsOf(log.events));
    const refusing = new FakeEventLog({ order: 'heeds', pageSize: 100, refusesCursors: true });
    refusing.write(...many(150));
    const other = start(refusing);
    await settle();
    assert.deepEqual(other.transcript.line.slice(-2), ['e100', 'gap']);
  });

  it('asks for smaller pages if they are too large, and for larger ones later', async () => {
    const log = new FakeEventLog();
    log.write(...many(20_000));
    log.tooLarge = events => events.length > 100 && events.some(({ id }) => id === 'e1500');
    const { transcript } = start(log);
    await settle();
    assert.deepEqual([transcript.line, transcript.state?.name], [idsOf(log.events), 'live']);
    assert.deepEqual([...new Set(log.listCalls.map(({ limit }) => limit))], [1000, 100]);
    assert.equal(log.listCalls.at(-1)?.limit, 1000);
    log.tooLarge = () => true;
    const other = start(log);
    await settle();
    assert.deepEqual([other.transcript.line, other.transcript.state?.name], [['gap'], 'live']);
  });

  it('reads the history in order although a change of an old event came after new ones', async () => {
    const at = (seconds: number) => ({ created_at: new Date(seconds * 1000).toISOString() });
    const log = new FakeEventLog({ order: 'oldestFirst', pageSize: 10 });
    log.write(message('e1', at(1)), message('e2', { ...at(2), processed_at: null }));
    log.listFailures = 3;
    const { transcript, clock } = start(log);
    await settle();
    log.write(message('e3', at(3)));
    log.process(1);
    await settle();
    assert.deepEqual(transcript.line, ['gap', 'e3', 'e2']);
    while (clock.sleeping > 0) {
      clock.next();
      await settle();
    }
    assert.deepEqual(transcript.line, ['e1', 'e2', 'e3']);
  });

  it("shows a gap while the history can't be read, and fills it in place", async () => {
    const log = new FakeEventLog({ order: 'heeds', pageSize: 2 });
    log.write(...many(5));
    log.listFailures = 3;
    const { transcript, clock } = start(log);
    await settle();
    assert.deepEqual([transcript.line, transcript.state?.name], [['gap'], 'live']);
    log.write(message('e6', { created_at: new Date(6000).toISOString() }));
    await settle();
    assert.deepEqual(transcript.line, ['gap', 'e6']);
    while (log.listFailures > 0) {
      clock.next();
      await settle();
    }
    clock.next();
    await settle();
    assert.deepEqual(transcript.line, ['e1', 'e2', 'e3', 'e4', 'e5', 'e6']);
    assert.equal(clock.sleeping, 0);
  });

  it('fills every gap once, also on a service without orders', async () => {
    for (const order of ['heeds', 'oldestFirst', 'newestFirst'] satisfies FakeService['order'][]) {
      const log = new FakeEventLog({ order, pageSize: 3 });
      log.write(...many(10));
      const { transcript, clock } = start(log);
      await settle();
      log.cut(0);
      for (const from of [11, 21]) {
        log.write(...many(4, from));
        log.listFailures = 1;
        await settle();
        clock.next();
        await settle();
        log.write(...many(2, from + 4));
        await settle();
        log.cut(10);
      }
      assert.deepEqual(transcript.gaps.length, 2);
      await settle();
      clock.next();
      await settle();
      assert.deepEqual(transcript.line, idsOf(log.events), order);
      assert.equal(transcript.updates.filter(({ type }) => type === 'corrected').length, 1);
    }
  });

  it('yields a changed event, and never its old version afterwards', async () => {
    const log = new FakeEventLog();
    const waiting = { type: 'user.message', id: 'e1', processed_at: null, content: [{ type: 'text', text: 'hi' }] };
    log.write(waiting);
    const { transcript } = start(log);
    await settle();
    log.process(0);
    log.send(waiting, { ...waiting, content: [{ text: 'hi', type: 'text' }], session_thread_id: 't' });
    await settle();
    assert.deepEqual(transcript.events, log.events);
    assert.equal(transcript.updates.filter(({ type }) => type === 'changed').length, 1);
  });

  it('notices on a reconnect that an event was processed', async () => {
    for (const order of ['heeds', 'oldestFirst', 'newestFirst'] satisfies FakeService['order'][]) {
      const log = new FakeEventLog({ order, pageSize: 10 });
      log.write(...many(5), { ...message('e6'), created_at: new Date(6000).toISOString(), processed_at: null });
      const { transcript, clock } = start(log);
      await settle();
      log.write(...many(60, 7));
      await settle();
      log.cut(100);
      await settle();
      log.process(5);
      clock.next();
      await settle();
      assert.deepEqual(transcript.events, log.events, order);
    }
  });

  describe('without event IDs', () => {
    it('identifies them by message_id, by seq, or by the ID of their frame', async () => {
      const log = new FakeEventLog({ order: 'oldestFirst', pageSize: 100 });
      const user = { type: 'user.message', seq: 1, text: 'hi' };
      const agent = { type: 'agent.message', seq: 2, message_id: 'm1', text: 'ho' };
      log.events.push(user, agent);
      const { transcript, clock } = start(log);
      await settle();
      log.send(user, { ...agent, seq: undefined }, { type: 'user.message', seq: 3, text: 'hi' });
      log.events.push({ type: 'user.message', seq: 3, text: 'hi' });
      await settle();
      log.cut(0);
      await settle();
      clock.next();
      await settle();
      assert.deepEqual(transcript.events, log.events);
    });

    it('identifies them by position, and drops no repeated text', async () => {
      const log = new FakeEventLog({ order: 'oldestFirst', pageSize: 3 });
      const yes = { type: 'user.message', text: 'yes' };
      const no = { type: 'user.message', text: 'no' };
      log.events.push(yes, no, yes);
      const { transcript, clock } = start(log);
      await settle();
      log.write(yes, yes);
      await settle();
      log.cut(100);
      log.write(yes, no, no);
      await settle();
      clock.next();
      await settle();
      log.write(no);
      await settle();
      assert.deepEqual(transcript.events, log.events);
    });

    it('fills a gap by reading the whole log again', async () => {
      for (const named of [{}, { seq: 0 }]) {
        const log = new FakeEventLog({ order: 'oldestFirst', pageSize: 3 });
        const said = (seq: number) => ({ type: 'user.message', text: 'yes', ...('seq' in named && { seq }) });
        log.events.push(...[1, 2, 3, 4].map(said));
        const { transcript, clock } = start(log);
        await settle();
        log.cut(0);
        log.events.push(said(5), said(6));
        log.listFailures = 1;
        await settle();
        clock.next();
        await settle();
        log.write(said(7));
        await settle();
        assert.equal(transcript.gaps.length, 1);
        clock.next();
        await settle();
        assert.deepEqual([transcript.events, transcript.gaps], [log.events, []]);
      }
    });

    it('yields no event twice, however many arrive while the history is read', async () => {
      const kinds = ['yes', 'no', 'yes', 'yes'];
      const log: FakeEventLog = new FakeEventLog({ order: 'oldestFirst', pageSize: 1000 }, async label => {
        if (label === 'list asked' && log.events.length === 0) {
          for (let count = 0; count < 3000; count++) {
            log.write({ type: 'user.message', text: kinds[(count * count) % 7] ?? 'perhaps' });
          }
        } else if (label === 'list answered' && log.events.length < 3010) {
          log.write({ type: 'user.message', text: 'yes' });
        }
      });
      const { transcript } = start(log);
      await settle();
      assert.equal(transcript.state?.name, 'live');
      assert.equal(transcript.events.length, log.events.length);
      assert.deepEqual(transcript.events, log.events);
    });

    it('finds where buffered events continue the history', async () => {
      const yes = { type: 'user.message', text: 'yes' };
      const log: FakeEventLog = new FakeEventLog({ order: 'oldestFirst', pageSize: 100 }, async label => {
        if (label === 'list asked' && log.events.length === 0) {
          log.write(yes, { type: 'agent.message', text: 'a' });
        } else if (label === 'list answered') {
          log.write(yes);
        }
      });
      const { transcript } = start(log);
      await settle();
      assert.deepEqual(transcript.events, log.events);
    });
  });
});
