import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../../src/client/events/eventLog';
import { watchEvents } from '../../../../src/client/events/eventStream';
import type { WatchOptions, WatchState, WatchUpdate } from '../../../../src/client/events/watchUpdates';
import { ServiceError } from '../../../../src/client/transport/errors';
import { FakeEventLog, type FakeService, serviceError, Transcript } from '../fakeEventLog';

/** A clock whose sleeps end when the test decides. */
class HandClock {
  time = 0;
  private readonly sleepers = new Map<() => void, number>();

  now = () => this.time;

  sleep = (milliseconds: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const wake = () => {
        this.sleepers.delete(wake);
        resolve();
      };
      this.sleepers.set(wake, this.time + milliseconds);
      signal.addEventListener('abort', () => {
        this.sleepers.delete(wake);
        reject(signal.reason);
      });
    });

  get sleeping(): number {
    return this.sleepers.size;
  }

  /** Advances the time to the end of the next sleep. */
  next(): void {
    const [first] = [...this.sleepers].sort(([, a], [, b]) => a - b);
    assert.ok(first !== undefined, 'nobody sleeps');
    this.time = Math.max(this.time, first[1]);
    first[0]();
  }
}

/** Waits until nothing more happens without time or the network. */
async function settle(): Promise<void> {
  for (let count = 0; count < 20; count++) {
    await new Promise(resolve => setImmediate(resolve));
  }
}

function message(id: string, more: object = {}): SessionEvent {
  return { type: 'agent.message', id, processed_at: '2026-11-21T10:00:00Z', ...more };
}

function many(count: number, from = 1): SessionEvent[] {
  return Array.from({ length: count }, (_, index) =>
    message(`e${from + index}`, { created_at: new Date((from + index) * 1000).toISOString() }),
  );
}

describe('client/events/eventStream', () => {
  const open: AbortController[] = [];
  afterEach(() => {
    for (const controller of open.splice(0)) {
      controller.abort();
    }
  });

  function start(log: FakeEventLog, options: Partial<WatchOptions> = {}) {
    const controller = new AbortController();
    open.push(controller);
    const clock = new HandClock();
    const watch = watchEvents(log, { signal: controller.signal, clock, random: () => 0, ...options });
    const transcript = new Transcript();
    const ended = transcript.follow(watch);
    return { controller, clock, watch, transcript, ended };
  }
  const ids = (events: readonly SessionEvent[]) => events.map(({ id }) => id);

  it('attaches before it reads the history, and continues live', async () => {
    const order: string[] = [];
    const log = new FakeEventLog(undefined, async label => {
      order.push(label);
    });
    log.write(...many(3));
    const { transcript } = start(log);
    await settle();
    log.write(message('e4'));
    await settle();
    assert.deepEqual(order.slice(0, 3), ['stream asked', 'stream answered', 'list asked']);
    assert.deepEqual([log.listCalls[0]?.order, log.listCalls[0]?.limit], ['asc', 1000]);
    assert.deepEqual([...new Set(transcript.states.map(({ name }) => name))], ['connecting', 'catchingUp', 'live']);
    assert.deepEqual(
      transcript.updates.flatMap(update => (update.type === 'events' ? [[update.live, ...ids(update.events)]] : [])),
      [
        [false, 'e1', 'e2', 'e3'],
        [true, 'e4'],
      ],
    );
  });

  it('makes no calls before it is read', async () => {
    const log = new FakeEventLog();
    watchEvents(log, { signal: new AbortController().signal });
    await settle();
    assert.equal(log.streamCalls.length, 0);
  });

  it('connects at most 8 times in 20 s to a service that closes at once, with any jitter', async () => {
    const log = new FakeEventLog();
    const { clock } = start(log);
    const attempts: number[] = [];
    while (clock.time < 120_000) {
      await settle();
      attempts.push(clock.time);
      log.write(message(`e${attempts.length}`));
      log.cut(1);
      await settle();
      clock.next();
    }
    assert.equal(log.streamCalls.length, attempts.length);
    for (const begin of attempts) {
      const within = attempts.filter(time => time >= begin && time < begin + 20_000);
      assert.ok(within.length <= 8, `${within.length} from ${begin}`);
    }
    assert.ok(attempts.length >= 40, `${attempts.length}`);
  });

  it('increases its delay up to 30 s, and resets it after a connection that delivered', async () => {
    const log = new FakeEventLog();
    log.attachFailures.push(...Array.from({ length: 10 }, () => new Error('down')));
    const { clock, transcript } = start(log, { random: () => 1 });
    const waits: number[] = [];
    for (let count = 0; count < 10; count++) {
      await settle();
      const { state } = transcript;
      assert.ok(state?.name === 'reconnecting' && state.attempt === count + 2);
      waits.push(state.retryAt - clock.time);
      clock.next();
    }
    assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000, 30_000]);
    await settle();
    log.write(message('e1'));
    await settle();
    log.cut(0, new Error('broken'));
    await settle();
    const { state } = transcript;
    assert.ok(state?.name === 'reconnecting');
    assert.deepEqual([state.retryAt - clock.time, state.attempt, String(state.error)], [500, 1, 'Error: broken']);
  });

  it('respects Retry-After, unless the user retries', async () => {
    const log = new FakeEventLog();
    log.attachFailures.push(serviceError(429, 90_000));
    const { clock, transcript, watch } = start(log);
    await settle();
    const { state } = transcript;
    assert.ok(state?.name === 'reconnecting' && state.retryAt - clock.time === 90_000);
    watch.retryNow();
    await settle();
    assert.equal(transcript.state?.name, 'live');
    watch.retryNow();
  });

  it('ends if nothing more can come, with the reason', async () => {
    const kindOf = (status: number | undefined, kind: 'no_credential' | 'api') =>
      new ServiceError('no', { kind, outcome: 'refused', method: 'GET', host: 'h', path: '/', status });
    const first: [unknown, string][] = [
      [serviceError(404), 'unsupported'],
      [serviceError(405), 'unsupported'],
      [serviceError(401), 'refused'],
      [serviceError(400), 'refused'],
      [kindOf(undefined, 'no_credential'), 'refused'],
    ];
    for (const [error, reason] of first) {
      const log = new FakeEventLog();
      log.write(message('e1'));
      log.attachFailures.push(error, error);
      const { transcript, ended } = start(log, { previews: ['agent.message'] });
      await ended;
      assert.deepEqual(transcript.state, { name: 'ended', reason, error });
      assert.deepEqual(transcript.line, reason === 'unsupported' ? ['e1'] : []);
    }
    const log = new FakeEventLog();
    const { transcript, ended, clock } = start(log);
    await settle();
    log.cut(0);
    log.attachFailures.push(serviceError(404));
    await settle();
    clock.next();
    await ended;
    assert.ok(transcript.state?.name === 'ended' && transcript.state.reason === 'deleted');

    const closed = new FakeEventLog();
    closed.attachStatus = 204;
    const watched = start(closed);
    await watched.ended;
    assert.deepEqual(watched.transcript.state, { name: 'ended', reason: 'closed' });
    assert.equal(closed.streams, 0);
  });

  it('continues after 408, 429, 5xx and no response, and reads the history of a responding service', async () => {
    for (const [error, events] of [
      [serviceError(408), []],
      [serviceError(429), []],
      [serviceError(503), ['e1']],
      [new Error('lost'), []],
    ] as const) {
      const log = new FakeEventLog();
      log.write(message('e1'));
      log.attachFailures.push(error);
      const { transcript, clock } = start(log);
      await settle();
      assert.equal(transcript.state?.name, 'reconnecting');
      assert.deepEqual(transcript.line, events);
      clock.next();
      await settle();
      assert.deepEqual([transcript.state?.name, transcript.line], ['live', ['e1']]);
    }
  });

  it('reads the history while a service delays its stream', async () => {
    let attach = () => {};
    const attached = new Promise<void>(resolve => {
      attach = resolve;
    });
    const log = new FakeEventLog(undefined, async label => {
      if (label === 'stream answered') {
        await attached;
      }
    });
    log.write(...many(3));
    const { transcript, clock } = start(log);
    await settle();
    assert.deepEqual(transcript.line, []);
    clock.next();
    await settle();
    assert.deepEqual([transcript.line, transcript.state], [['e1', 'e2', 'e3'], { name: 'polling', everyMs: 10_000 }]);
    log.write(message('e4'));
    clock.next();
    await settle();
    assert.deepEqual(transcript.line, ['e1', 'e2', 'e3', 'e4']);
    log.listFailures = 1;
    clock.next();
    await settle();
    log.write(message('e5'));
    clock.next();
    await settle();
    assert.deepEqual([transcript.line, transcript.state?.name], [['e1', 'e2', 'e3', 'e4', 'e5'], 'polling']);
    log.write(message('e6'));
    attach();
    await settle();
    assert.deepEqual([transcript.line.at(-1), transcript.state?.name, clock.sleeping], ['e6', 'live', 0]);
  });

  it("drops the last connection's error when the service stops responding", async () => {
    const log = new FakeEventLog();
    log.write(message('e1'));
    const { transcript, clock } = start(log);
    await settle();
    const silence = () => new Promise<never>(() => {});
    log.list = silence;
    log.stream = silence;
    log.cut(0);
    await settle();
    const { state } = transcript;
    assert.ok(state?.name === 'reconnecting');
    for (let count = 0; count < 3; count++) {
      clock.next();
      await settle();
    }
    const later = transcript.state;
    assert.ok(later?.name === 'reconnecting' && String(later.error).includes('does not answer'), JSON.stringify(later));
    assert.equal(later.retryAt, clock.time);
  });

  it('reads the history on request, and replaces a stream that misses events', async () => {
    const log = new FakeEventLog();
    log.write(message('e1'));
    const { transcript, clock, watch } = start(log);
    await settle();
    const streams = log.streamCalls.length;
    watch.lookNow();
    await settle();
    assert.deepEqual([transcript.state?.name, log.streamCalls.length], ['live', streams], 'nothing was missing');
    // The stream has stalled.
    log.events.push(message('e2'));
    await settle();
    assert.deepEqual(transcript.line, ['e1']);
    watch.lookNow();
    await settle();
    assert.deepEqual([transcript.line, transcript.state?.name], [['e1', 'e2'], 'reconnecting']);
    clock.next();
    await settle();
    assert.deepEqual([transcript.line, transcript.state?.name], [['e1', 'e2'], 'live']);
  });

  it('polls at once on request', async () => {
    const log = new FakeEventLog(undefined, label => (label === 'stream answered' ? new Promise<void>(() => {}) : Promise.resolve()));
    log.write(message('e1'));
    const { transcript, clock, watch } = start(log);
    await settle();
    clock.next();
    await settle();
    log.write(message('e2'));
    watch.lookNow();
    await settle();
    assert.deepEqual([transcript.line, transcript.state?.name], [['e1', 'e2'], 'polling']);
  });

  it("retries at once when a stream didn't start in time, and continues to read the history", async () => {
    const log = new FakeEventLog();
    let give = (_: Error) => {};
    const never = {
      list: log.list.bind(log),
      stream: () =>
        new Promise<never>((_, reject) => {
          give = reject;
        }),
    };
    log.write(message('e1'));
    const { transcript, clock } = start(never as unknown as FakeEventLog, { random: () => 1 });
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 6; count++) {
        await settle();
        clock.next();
      }
      await settle();
      assert.deepEqual([transcript.line, transcript.state?.name], [['e1'], 'polling']);
      const details = { outcome: 'unknown', method: 'GET', host: 'fake', path: '/' } as const;
      give(new ServiceError('no first byte', { ...details, kind: 'first_byte_timeout' }));
      await settle();
      const { state } = transcript;
      assert.ok(state?.name === 'reconnecting' && state.retryAt - clock.time <= 1000, JSON.stringify(state));
      clock.next();
    }
  });

  it('increases its delay if each connection yields only known events', async () => {
    const log = new FakeEventLog();
    log.write(message('e1'));
    const { clock, transcript } = start(log, { random: () => 1 });
    await settle();
    while (clock.time < 61_000) {
      log.send(message('e1'), { type: 'ping' });
      await settle();
      log.cut(2);
      await settle();
      clock.next();
      await settle();
    }
    assert.deepEqual(transcript.line, ['e1']);
    assert.ok(log.streamCalls.length <= 8, `${log.streamCalls.length}`);
  });

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
    assert.deepEqual(transcript.line, ids(log.events));
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
    assert.deepEqual(transcript.line, ids(log.events));
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
      assert.deepEqual(transcript.line, ids(log.events), `${grow} more on pages of ${pageSize}`);
    }
  });

  it('closes the stream itself when the session is deleted', async () => {
    const log = new FakeEventLog();
    const { transcript, ended } = start(log);
    await settle();
    log.write(message('e1'), { type: 'session.deleted', id: 'e2' }, message('e3'));
    await ended;
    assert.deepEqual(transcript.line, ['e1', 'e2']);
    assert.deepEqual(transcript.state, { name: 'ended', reason: 'deleted' });
    assert.equal(log.streams, 0);
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
    assert.deepEqual(transcript.line, ids(log.events));
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
    assert.deepEqual(transcript.line, ids(log.events));
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
    assert.deepEqual(transcript.line, ids(log.events));
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
    assert.deepEqual([transcript.line, transcript.state?.name], [ids(log.events), 'live']);
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
      assert.deepEqual(transcript.line, ids(log.events), order);
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

  it('passes previews on, drops those of stored events, and treats pings as a sign of life', async () => {
    const log = new FakeEventLog();
    const { transcript } = start(log, { previews: ['agent.message'] });
    await settle();
    assert.deepEqual(log.streamCalls[0]?.previews, ['agent.message']);
    const begin = { type: 'event_start', event: { type: 'agent.message', id: 'e1' } };
    const delta = { type: 'event_delta', event_id: 'e1', delta: { type: 'content_delta', content: { type: 'text', text: 'a' } } };
    log.send(begin, delta, { type: 'ping' });
    await settle();
    log.write(message('e1'));
    await settle();
    log.send(delta);
    await settle();
    assert.deepEqual(
      transcript.updates.flatMap(update => (update.type === 'previews' ? [update.events] : [])),
      [[begin, delta]],
    );
    assert.deepEqual(transcript.line, ['e1']);
  });

  it('works without previews if the service rejects them', async () => {
    const log = new FakeEventLog();
    log.attachFailures.push(serviceError(400));
    const { transcript } = start(log, { previews: ['agent.message'] });
    await settle();
    assert.equal(transcript.state?.name, 'live');
    assert.deepEqual(
      log.streamCalls.map(({ previews }) => previews),
      [['agent.message'], undefined],
    );
  });

  it('ends at once when the reader leaves or the signal aborts, with nothing left open', async () => {
    const reader = new FakeEventLog();
    reader.write(message('e1'));
    for await (const update of watchEvents(reader, { signal: new AbortController().signal })) {
      if (update.type === 'events') {
        break;
      }
    }
    assert.equal(reader.streams, 0);

    for (const atStep of ['stream asked', 'stream answered', 'list asked', 'list answered', 'live', 'sleeping']) {
      let blocked = false;
      const log = new FakeEventLog(undefined, async label => {
        if (label === atStep) {
          blocked = true;
          await new Promise(() => {});
        }
      });
      const { controller, ended, transcript, clock } = start(log);
      await settle();
      if (atStep === 'sleeping') {
        log.cut(0);
        await settle();
        assert.equal(transcript.state?.name, 'reconnecting');
      }
      assert.equal(blocked, !['live', 'sleeping'].includes(atStep));
      controller.abort();
      await ended;
      assert.deepEqual([log.streams, clock.sleeping], [0, 0], atStep);
    }
    const aborted = new AbortController();
    aborted.abort();
    await new Transcript().follow(watchEvents(new FakeEventLog(), { signal: aborted.signal }));
  });

  it('reads the history again when more arrives meanwhile than it can buffer, and pauses the stream if that repeats', async () => {
    let count = 0;
    let overflows = 0;
    const log: FakeEventLog = new FakeEventLog(undefined, async label => {
      if (label === 'list answered' && overflows++ < 6) {
        log.write(...many(25_000, count + 1));
        count += 25_000;
        await settle();
      }
    });
    const { transcript } = start(log);
    while (transcript.state?.name !== 'live' || transcript.line.length < count) {
      await settle();
    }
    assert.deepEqual(transcript.line, ids(log.events));
  });

  it('pauses a service that writes faster than its reader reads', async () => {
    const log = new FakeEventLog();
    const controller = new AbortController();
    open.push(controller);
    const updates: WatchUpdate[] = [];
    const iterator = watchEvents(log, { signal: controller.signal })[Symbol.asyncIterator]();
    const read = async () => {
      const { value } = await iterator.next();
      assert.ok(value);
      updates.push(value);
    };
    while (updates.at(-1)?.type !== 'state' || (updates.at(-1) as { state?: { name: string } }).state?.name !== 'live') {
      await read();
    }
    for (let count = 0; count < 100; count++) {
      log.write(...many(100, count * 100 + 1));
      await settle();
    }
    const waiting = log.waiting;
    assert.ok(waiting > 7000, `${waiting} of 10000 wait outside`);
    const seen: unknown[] = [];
    while (seen.length < 10_000) {
      await read();
      const last = updates.at(-1);
      seen.push(...(last?.type === 'events' ? ids(last.events) : []));
    }
    assert.deepEqual(seen, ids(log.events));
  });

  it('yields the events of one chunk as one update', async () => {
    const log = new FakeEventLog();
    const { transcript } = start(log);
    await settle();
    log.write(...many(50));
    await settle();
    assert.deepEqual(
      transcript.updates.flatMap(update => (update.type === 'events' ? [update.events.length] : [])),
      [50],
    );
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
