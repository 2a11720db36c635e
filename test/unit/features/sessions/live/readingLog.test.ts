import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SessionEvent } from '../../../../../src/client/events/eventLog';
import { watchEvents } from '../../../../../src/client/events/eventStream';
import type { Timers } from '../../../../../src/common/lists/poller';
import { ThreadLog } from '../../../../../src/features/sessions/live/threadLog';
import { SentRows } from '../../../../../src/features/sessions/panel/sentRows';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import type { Row } from '../../../../../src/shared/session/rows/rows';
import { Transcript } from '../../../../../src/shared/session/transcript';
import { runs } from '../../../../helpers/runs';
import { FakeEventLog, type FakeService } from '../../../client/fakeEventLog';
import { eventLogs } from '../../../shared/session/eventLogs';
import { FakeTime, settled } from '../panel/fakeService';

/** State of a panel: its rows, built from the splices, and the key of the first row after each update. */
class Told {
  rows: Row[] = [];
  readonly begins: (string | undefined)[] = [];
  readonly #sent = new SentRows();

  take(current: readonly Row[], most: number): void {
    for (let next = this.#next(current, most); next.length > 0; next = this.#next(current, most)) {
      for (const { at, remove, rows } of next) {
        this.rows = [...this.rows.slice(0, at), ...rows, ...this.rows.slice(at + remove)];
      }
      this.begins.push(this.rows[0]?.key);
    }
  }

  #next(current: readonly Row[], most: number) {
    const next = this.#sent.next(current, { rows: most, characters: 1_000_000 });
    assert.ok(!('key' in next));
    return next;
  }
}

function turns(count: number): readonly SessionEvent[] {
  return Array.from({ length: count }, (_, n): SessionEvent => {
    const at = new Date(Date.UTC(2026, 10, 21) + n * 1000).toISOString();
    const call = `e${n - 1}`;
    const kinds = [
      { type: 'user.message', content: [{ type: 'text', text: `words ${n}` }] },
      { type: 'agent.tool_use', name: 'bash', input: { n } },
      { type: 'agent.tool_result', tool_use_id: call, content: [] },
      { type: 'session.status_idle', stop_reason: { type: 'end_turn' } },
    ];
    return { ...(kinds[n % 4] as SessionEvent), id: `e${n}`, processed_at: at };
  });
}

function forward(events: readonly TranscriptEvent[]): readonly Row[] {
  const transcript = new Transcript();
  transcript.append(events);
  return transcript.rows;
}

function open(log: FakeEventLog, timers: Timers, most = 1000) {
  const told = new Told();
  const thread: ThreadLog = new ThreadLog({
    thread: '',
    log,
    watch: watchEvents,
    timers,
    // The clock is stopped, so that the order of events doesn't depend on time.
    now: () => 0,
    previews: () => undefined,
    onRows: () => told.take(thread.transcript.rows, most),
    onText: () => undefined,
    onState: () => undefined,
    onEvents: () => undefined,
  });
  return { told, thread };
}

describe('features/sessions/live/readingLog', () => {
  it('shows the end of a long history first, marked, then all of it in order', async () => {
    let isLetGo = false;
    let letGo = () => {};
    const log = new FakeEventLog({ order: 'heeds', pageSize: 300 }, async label => {
      const { order, cursor } = log.listCalls.at(-1) ?? {};
      if (label === 'list asked' && !isLetGo && order === 'asc' && cursor !== undefined) {
        await new Promise<void>(resolve => {
          letGo = resolve;
        });
      }
    });
    const events = turns(2002);
    log.events.push(...events);
    const time = new FakeTime();
    const { told, thread } = open(log, time, 150);
    thread.start();
    await settled();
    await settled();
    assert.deepEqual([told.rows.at(-1)?.key, told.rows[0]?.key, thread.isPartial], ['e2001', 'e1802', true]);
    assert.ok(
      told.begins.every(key => key === 'e1802'),
      'nothing else was shown before',
    );
    log.events.push({ type: 'agent.message', id: 'later', content: [], processed_at: new Date().toISOString() });
    await time.pass(2000);
    assert.equal(told.rows.at(-1)?.key, 'later', 'what came meanwhile is shown meanwhile');
    const before = told.rows.map(({ key }) => key);
    isLetGo = true;
    letGo();
    while (thread.state.name !== 'live') {
      await settled();
    }
    assert.deepEqual([thread.isPartial, time.count], [false, 0]);
    assert.deepEqual(told.rows, forward(log.events));
    assert.deepEqual(
      told.rows.slice(-before.length + 1).map(({ key }) => key),
      before.slice(1),
    );
    thread.stop();
  });

  it("reads a short history once, and shows it from the start if the service can't reverse it", async () => {
    const short = new FakeEventLog({ order: 'heeds', pageSize: 1000 });
    short.events.push(...turns(40));
    const one = open(short, new FakeTime());
    one.thread.start();
    await settled();
    assert.deepEqual([short.listCalls.length, one.told.rows.length], [1, forward(short.events).length]);
    one.thread.stop();
    const old = new FakeEventLog({ order: 'oldestFirst', pageSize: 20 });
    old.events.push(...turns(400));
    const other = open(old, new FakeTime());
    other.thread.start();
    while (other.thread.state.name !== 'live') {
      await settled();
    }
    assert.deepEqual(other.told.rows, forward(old.events));
    assert.equal(new Set(other.told.begins).size, 1);
    other.thread.stop();
  });

  it('keeps the end and the readable start if the rest fails', async () => {
    const log = new FakeEventLog({ order: 'heeds', pageSize: 200 }, async label => {
      // If the oldest events are listed first, every page after the first one fails.
      const asked = log.listCalls.at(-1);
      if (label === 'list asked' && asked?.order === 'asc' && asked.cursor !== undefined) {
        await settled();
        throw new Error('cannot be read');
      }
    });
    log.events.push(...turns(1000));
    const { told, thread } = open(log, new FakeTime());
    thread.start();
    while (thread.state.name !== 'live') {
      await settled();
    }
    const keys = told.rows.map(({ key }) => key);
    assert.deepEqual([keys[0], keys.filter(key => key.startsWith('gap')).length, keys.at(-1)], ['e0', 1, 'e999']);
    assert.ok(keys.indexOf('gap gap-1') < keys.indexOf('e800'));
    thread.stop();
  });

  it('shows the same as a read from the start, for any pages and any events in between', async () => {
    const services: fc.Arbitrary<FakeService> = fc.record({
      order: fc.constantFrom('heeds' as const, 'heeds' as const, 'newestFirst' as const, 'oldestFirst' as const),
      // A page of one event doesn't show whether the service respects the order.
      pageSize: fc.integer({ min: 2, max: 40 }),
    });
    const chance = fc.array(fc.nat(3), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        services,
        eventLogs,
        fc.nat(60),
        chance,
        fc.integer({ min: 1, max: 50 }),
        async (service, logged, kept, draws, most) => {
          // If a service ignores the order parameter, only the times of the events show their order.
          const later = logged.map((event, n) => ({
            ...event,
            created_at: new Date(Date.UTC(2026, 10, 21) + n * 1000).toISOString(),
          })) as SessionEvent[];
          let place = 0;
          const log = new FakeEventLog(service, async label => {
            if (label.startsWith('list') && later.length > 0) {
              log.write(...later.splice(0, draws[place++ % draws.length]));
            }
          });
          log.events.push(...later.splice(0, kept));
          const soon: Timers = { set: callback => setImmediate(callback), clear: handle => clearImmediate(handle as NodeJS.Immediate) };
          const { told, thread } = open(log, soon, most);
          thread.start();
          while (thread.state.name !== 'live') {
            await settled();
          }
          log.write(...later.splice(0));
          await settled();
          thread.stop();
          assert.deepEqual(told.rows, forward(log.events));
          assert.deepEqual(thread.transcript.events, log.events);
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
