import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import type { SessionEvent } from '../../../../src/client/events/eventLog';
import { watchEvents } from '../../../../src/client/events/eventStream';
import { HeldTimers } from '../../../helpers/heldTimers';
import { runs } from '../../../helpers/runs';
import { turns, until } from '../../../helpers/until';
import { Transcript } from '../fakeEventLog';
import { json, Loopback } from '../loopback';

/** A session over HTTP. Each of the first streams is cut after the given number of bytes. */
class CuttingService {
  readonly events: SessionEvent[] = [];
  private readonly streams = new Map<ServerResponse, { left: number; readonly polite: boolean }>();

  constructor(
    private readonly cuts: { readonly bytes: number; readonly polite: boolean }[],
    private readonly pageSize: number,
    private readonly newestFirst: boolean,
  ) {}

  get isWhole(): boolean {
    return this.cuts.length === 0;
  }

  answer(url: URL, response: ServerResponse): void {
    if (url.pathname.endsWith('/stream')) {
      const { bytes, polite } = this.cuts.shift() ?? { bytes: Number.POSITIVE_INFINITY, polite: true };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      this.streams.set(response, { left: bytes, polite });
      response.once('close', () => this.streams.delete(response));
      this.write(response, Buffer.from(': connected\n\n'));
      return;
    }
    const isNewestFirst = this.newestFirst || url.searchParams.get('order') === 'desc';
    const all = isNewestFirst ? [...this.events].reverse() : this.events;
    const after = url.searchParams.get('page');
    const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const data = all.slice(from, from + this.pageSize);
    json(response, { data, next_page: from + data.length < all.length ? data.at(-1)?.id : null });
  }

  add(event: SessionEvent): void {
    this.events.push(event);
    const frame = Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    for (const response of this.streams.keys()) {
      this.write(response, frame);
    }
  }

  private write(response: ServerResponse, bytes: Buffer): void {
    const stream = this.streams.get(response);
    if (stream === undefined || stream.left < 0) {
      return;
    }
    const part = bytes.subarray(0, Math.min(bytes.length, stream.left));
    stream.left -= bytes.length;
    if (stream.left >= 0) {
      response.write(part);
    } else if (stream.polite) {
      response.end(part);
    } else {
      response.write(part, () => response.destroy());
    }
  }
}

describe('client/events/eventStream over a socket', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  it('yields the same wherever the bytes are cut', async () => {
    const cut = fc.record({ bytes: fc.nat({ max: 1500 }), polite: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(cut, { maxLength: 12 }),
        fc.constantFrom(3, 20, 1000),
        fc.boolean(),
        fc.nat({ max: 20 }),
        async (cuts, pageSize, newestFirst, stored) => {
          const service = new CuttingService([...cuts], pageSize, newestFirst);
          let count = 0;
          const add = () => {
            const content = [{ type: 'text', text: `täxt ${'😀'.repeat(count % 7)} ${count}` }];
            service.add({ type: 'agent.message', id: `e${++count}`, created_at: new Date(count * 1000).toISOString(), content });
          };
          for (let index = 0; index < stored; index++) {
            add();
          }
          const origin = await loopback.http((request, response) => service.answer(new URL(request.url ?? '', 'http://h'), response));
          const client = loopback.client(origin);
          const abort = new AbortController();
          let now = 0;
          const clock = {
            now: () => now,
            sleep: async (milliseconds: number, signal: AbortSignal) => {
              await new Promise(resolve => setImmediate(resolve));
              signal.throwIfAborted();
              now += milliseconds;
            },
          };
          const transcript = new Transcript();
          let isWriting = true;
          const writing = (async () => {
            while (isWriting) {
              add();
              await turns(1);
              await until(() => transcript.events.length + 3 >= count || !isWriting);
            }
          })();
          for await (const update of watchEvents(client.sessions.events('sesn_1'), { signal: abort.signal, clock })) {
            transcript.apply(update);
            if (isWriting && service.isWhole && transcript.state?.name === 'live') {
              isWriting = false;
              await writing;
              add();
            }
            if (!isWriting && transcript.events.length === count) {
              break;
            }
          }
          assert.deepEqual(transcript.events, service.events);
          await loopback.closeAll();
        },
      ),
      { numRuns: runs(40, 20) },
    );
  });

  it('closes the connection when the reader leaves', async () => {
    let isOpen = false;
    let onClose = () => {};
    const closed = new Promise<void>(resolve => {
      onClose = resolve;
    });
    const origin = await loopback.http((request, response) => {
      if (request.url?.includes('/stream')) {
        isOpen = true;
        response.once('close', onClose);
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': connected\n\n');
      } else {
        json(response, { data: [] });
      }
    });
    const watch = watchEvents(loopback.client(origin).sessions.threadEvents('s', 't'), { signal: new AbortController().signal });
    for await (const update of watch) {
      if (update.type === 'state' && update.state.name === 'live') {
        break;
      }
    }
    assert.ok(isOpen);
    await closed;
  });

  it('reconnects silently when a stream falls silent, but not while it sends comments', async () => {
    const timers = new HeldTimers([250]);
    loopback.onClose(async () => timers.release());
    let streams = 0;
    let comments = 0;
    const origin = await loopback.http((request, response) => {
      if (!request.url?.includes('/stream')) {
        json(response, { data: [] });
        return;
      }
      streams++;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': connected\n\n');
      void (async () => {
        await until(() => timers.count > 0);
        while (comments < 5) {
          timers.pass(100);
          const { starts } = timers;
          comments++;
          response.write(': still here\n\n');
          await until(() => timers.starts > starts);
        }
        timers.pass(250);
      })();
    });
    const client = loopback.client(origin, { timeouts: { streamSilence: 250 } });
    for await (const update of watchEvents(client.sessions.events('s'), { signal: new AbortController().signal, random: () => 0 })) {
      if (update.type === 'state' && update.state.name === 'reconnecting') {
        assert.equal(update.state.error, undefined);
        break;
      }
    }
    assert.deepEqual([streams, comments], [1, 5]);
  });

  it("resumes without a stream ID that can't be sent back", async () => {
    const asked: (string | undefined)[] = [];
    const origin = await loopback.http((request, response) => {
      if (!request.url?.includes('/stream')) {
        json(response, { data: [] });
        return;
      }
      asked.push(request.headers['last-event-id'] as string | undefined);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`id: ${['é', '7', '8'][asked.length - 1]}\ndata: {"type":"agent.message","id":"e${asked.length}"}\n\n`);
      if (asked.length < 3) {
        response.end();
      }
    });
    const transcript = new Transcript();
    const clock = { now: () => 0, sleep: async () => {} };
    for await (const update of watchEvents(loopback.client(origin).sessions.events('s'), { signal: new AbortController().signal, clock })) {
      transcript.apply(update);
      if (transcript.events.length === 3) {
        break;
      }
    }
    assert.deepEqual(asked, [undefined, undefined, '7']);
  });
});
