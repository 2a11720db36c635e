import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../../src/client/events/eventLog';
import { watchEvents } from '../../../../src/client/events/eventStream';
import type { WatchUpdate } from '../../../../src/client/events/watchUpdates';
import { readWholeLog } from '../../../../src/features/sessions/facts/wholeLog';
import { Transcript } from '../fakeEventLog';
import { json, Loopback } from '../loopback';

/** Query parameter for the next page of a service that returns no cursors. */
type Taken = 'after_seq' | 'after_id' | 'limit' | 'nothing';

describe('client/events/eventHistory of a service without cursors', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  const total = 2345;
  const events = (hasIds: boolean): SessionEvent[] =>
    Array.from({ length: total }, (_, index) => ({
      type: index % 2 === 0 ? 'user.message' : 'agent.tool_use',
      seq: index + 1,
      text: `${index % 3}`,
      ...(hasIds ? { id: `e${index + 1}` } : {}),
    }));

  async function serve(taken: Taken, hasIds: boolean) {
    const all = events(hasIds);
    let lists = 0;
    const origin = await loopback.http((request, response) => {
      const url = new URL(request.url ?? '', 'http://h');
      if (url.pathname.endsWith('/stream')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': connected\n\n');
        return;
      }
      lists++;
      const after = taken === 'after_seq' || taken === 'after_id' ? url.searchParams.get(taken) : null;
      const from = after === null ? 0 : Number(after.replace('e', ''));
      const limit = Math.min(Number(url.searchParams.get('limit') ?? 100), taken === 'limit' ? 100_000 : 1000);
      const data = all.slice(from, from + limit);
      json(response, { data, has_more: from + data.length < all.length });
    });
    return { log: loopback.client(origin).sessions.events('s'), all, listed: () => lists };
  }

  async function watched(log: Awaited<ReturnType<typeof serve>>['log']): Promise<Transcript> {
    const transcript = new Transcript();
    const isLive = (update: WatchUpdate) => update.type === 'state' && update.state.name === 'live';
    for await (const update of watchEvents(log, { signal: new AbortController().signal })) {
      transcript.apply(update);
      if (isLive(update)) {
        break;
      }
    }
    return transcript;
  }

  for (const [taken, hasIds] of [
    ['after_seq', false],
    ['after_seq', true],
    ['after_id', true],
    ['limit', false],
    ['limit', true],
  ] as const) {
    it(`reads all by ${taken}, ${hasIds ? 'with' : 'without'} ids`, async () => {
      const { log, all, listed } = await serve(taken, hasIds);
      const transcript = await watched(log);
      assert.deepEqual([transcript.gaps, transcript.events], [[], all]);
      assert.ok(listed() <= 8, `${listed()} reads`);
      assert.deepEqual(await readWholeLog(log, new AbortController().signal, () => {}), all);
    });
  }

  for (const hasIds of [false, true]) {
    it(`shows a gap if nothing leads on, ${hasIds ? 'with' : 'without'} ids, and doesn't export such a log as complete`, async () => {
      const { log, all } = await serve('nothing', hasIds);
      const transcript = await watched(log);
      assert.deepEqual([transcript.gaps.length, transcript.events], [1, all.slice(0, 1000)]);
      await assert.rejects(
        readWholeLog(log, new AbortController().signal, () => {}),
        /has more events/,
      );
    });
  }
});
