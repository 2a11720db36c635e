import assert from 'node:assert/strict';
import type { EventLog, SessionEvent } from '../../../../../src/client/events/eventLog';
import { firstUserWords, readNewestEvents, reportsState } from '../../../../../src/features/sessions/facts/newestEvents';
import { recordedBody } from '../recorded';

const event = (id: string, type = 'agent.message', more: object = {}): SessionEvent => ({ id, type, ...more });

/** Creates a log that respects the requested order. With `obeys: false`, the log is always listed oldest first. */
function logOf(oldestFirst: readonly SessionEvent[], options: { readonly obeys?: boolean; readonly most?: number } = {}) {
  const asked: (number | undefined)[] = [];
  const order = options.obeys === false ? oldestFirst : [...oldestFirst].reverse();
  const log: Pick<EventLog, 'list'> = {
    list: async ({ limit = 20, cursor = '0', order: wanted } = {}) => {
      if (wanted !== 'asc') {
        asked.push(limit);
      }
      const ordered = wanted === 'asc' ? oldestFirst : order;
      const size = Math.min(limit, options.most ?? limit);
      const start = Number(cursor);
      const end = start + size;
      return { items: ordered.slice(start, end), nextCursor: end < ordered.length ? String(end) : undefined, requestId: undefined };
    },
  };
  return { log: log as EventLog, asked };
}

const read = ({ log }: ReturnType<typeof logOf>) =>
  readNewestEvents(log, new AbortController().signal, { isEnough: events => events.some(reportsState), maxPages: 4 });
const ids = (newest: Awaited<ReturnType<typeof read>>) => newest?.events.map(({ id }) => id);

describe('features/sessions/facts/newestEvents', () => {
  it("returns the newest events in the service's order, after one call if they show the session's state", async () => {
    const all = [...Array.from({ length: 200 }, (_, index) => event(`m${index}`)), event('idle', 'session.status_idle')];
    const log = logOf(all);
    const newest = await read(log);
    assert.deepEqual(ids(newest)?.slice(-2), ['m199', 'idle']);
    assert.deepEqual([log.asked.length, newest?.isWhole], [1, false]);
  });

  it("reads on until an event shows the session's state", async () => {
    const all = [event('idle', 'session.status_idle'), ...Array.from({ length: 90 }, (_, index) => event(`m${index}`))];
    const log = logOf(all);
    const newest = await read(log);
    assert.deepEqual([ids(newest)?.[0], log.asked.length, newest?.isWhole], ['idle', 2, true]);
  });

  it('gives up at a limit', async () => {
    const log = logOf(Array.from({ length: 5000 }, (_, index) => event(`m${index}`)));
    assert.equal((await read(log))?.isWhole, false);
    assert.equal(log.asked.length, 4);
  });

  it('reads to the end if the oldest always come first, recognized by time, number or reference', async () => {
    const turn = [event('ask', 'agent.tool_use'), event('idle', 'session.status_idle', { stop_reason: { event_ids: ['ask'] } })];
    for (const [what, events] of [
      ['time', [event('a', 'x', { created_at: '2026-01-01T00:00:00Z' }), event('b', 'x', { created_at: '2026-01-01T00:00:05Z' })]],
      ['number', [event('a', 'x', { seq: 1 }), event('b', 'x', { seq: 2 })]],
      ['reference', turn],
    ] as const) {
      const first = events[0]?.id;
      assert.equal(ids(await read(logOf(events, { obeys: false })))?.[0], first, what);
      assert.equal(ids(await read(logOf(events)))?.[0], first, `${what}, as asked`);
    }
    const long = Array.from({ length: 150 }, (_, seq) => event(`e${seq}`, 'x', { seq }));
    assert.equal(ids(await read(logOf(long, { obeys: false })))?.at(-1), 'e149');
  });

  it("asks for the order of a service's list if its first page doesn't show it", async () => {
    const events = Array.from({ length: 120 }, (_, place) => event(`e${place}`));
    assert.equal(ids(await read(logOf(events, { obeys: false })))?.at(-1), 'e119');
    assert.equal(ids(await read(logOf(events)))?.at(-1), 'e119');
  });

  it('reports an unknown state if the end is beyond the page limit', async () => {
    const long = Array.from({ length: 5000 }, (_, seq) => event(`e${seq}`, 'x', { seq }));
    assert.equal(await read(logOf(long, { obeys: false })), undefined);
  });

  it('recognizes the order of a recorded list whose events share one second', async () => {
    const newestFirst = recordedBody('streams/158-events-list-all.http').data as readonly SessionEvent[];
    const newest = await read(logOf([...newestFirst].reverse()));
    assert.equal(newest?.events.at(-1)?.id, newestFirst[0]?.id);
  });

  it("finds the user's first words", () => {
    const message = { content: [{ type: 'image' }, { type: 'text', text: 'Hello' }] };
    assert.equal(firstUserWords([event('a'), event('b', 'user.message', message)]), 'Hello');
    assert.equal(firstUserWords([event('a')]), undefined);
  });
});
