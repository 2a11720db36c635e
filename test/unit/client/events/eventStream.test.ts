import assert from 'node:assert/strict';
import { watchEvents } from '../../../../src/client/events/eventStream';
import type { WatchUpdate } from '../../../../src/client/events/watchUpdates';
import { ServiceError } from '../../../../src/client/transport/errors';
import { FakeEventLog, serviceError, Transcript } from '../fakeEventLog';
import { idsOf, many, message, settle, useWatches } from './watchedLog';

describe('client/events/eventStream', () => {
  const start = useWatches();

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
      transcript.updates.flatMap(update => (update.type === 'events' ? [[update.live, ...idsOf(update.events)]] : [])),
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
    assert.ok(later?.name === 'reconnecting' && String(later.error).includes('does not respond'), JSON.stringify(later));
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
    // The event is in the log, but the stream doesn't deliver it.
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
    assert.deepEqual(transcript.line, idsOf(log.events));
  });

  it('pauses a service that writes faster than its reader reads', async () => {
    const log = new FakeEventLog();
    const controller = new AbortController();
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
      seen.push(...(last?.type === 'events' ? idsOf(last.events) : []));
    }
    assert.deepEqual(seen, idsOf(log.events));
    controller.abort();
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
});
