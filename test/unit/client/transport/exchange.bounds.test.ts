import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { HeldTimers } from '../../../helpers/heldTimers';
import { turns, until } from '../../../helpers/until';
import { collect, failureOf, Loopback } from '../loopback';

/** Timeouts of these calls. They differ from every timer of the code below, so that tests can tell them apart. */
const timeouts = { firstByte: 60_001, bodySilence: 60_003, streamSilence: 45_001, call: 120_001 };

describe('client/transport/exchange has a bound for everything', () => {
  const loopback = new Loopback();
  let timers: HeldTimers;
  let written: number;

  beforeEach(() => {
    written = 0;
    timers = new HeldTimers(Object.values(timeouts));
  });

  afterEach(async () => {
    timers.release();
    await loopback.closeAll();
  });

  /**
   * Writes the pieces one after another, each just before the silence limit, until the connection is closed. Waits until each has reset the
   * limit.
   */
  async function drip(socket: Socket, pieces: Iterable<string>, pause: number): Promise<void> {
    let isClosed = false;
    socket.once('close', () => {
      isClosed = true;
    });
    for (const piece of pieces) {
      if (isClosed) {
        return;
      }
      const { starts } = timers;
      socket.write(piece);
      written++;
      await turns(3);
      await until(() => timers.starts > starts || isClosed);
      timers.pass(pause);
    }
    socket.end();
  }

  const body = (size: number) => ({
    byteLength: size,
    async *open() {
      yield Buffer.alloc(size, 0x20);
    },
  });
  const spaces = () => Array.from({ length: 100 }, () => ' ');

  it('gives up a create whose answer drips', async () => {
    const origin = await loopback.raw('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n', socket => void drip(socket, spaces(), 59_000));
    const error = await failureOf(loopback.client(origin, { timeouts }).batches.create(body(10)));
    assert.deepEqual([error.kind, error.outcome], ['call_timeout', 'unknown']);
  });

  it('gives up the upload of a file whose answer drips', async () => {
    const origin = await loopback.raw('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n', socket => void drip(socket, spaces(), 59_000));
    const error = await failureOf(loopback.client(origin, { timeouts }).files.upload({ name: 'a', content: body(10) }));
    assert.deepEqual([error.kind, error.outcome], ['call_timeout', 'unknown']);
  });

  for (const name of ['events', 'results'] as const) {
    it(`tells an error to a streamed GET whose page drips by its status (${name})`, async () => {
      const origin = await loopback.raw('HTTP/1.1 403 No\r\ncontent-length: 1000\r\n\r\n', socket => void drip(socket, spaces(), 40_000));
      const { sessions, batches } = loopback.client(origin, { timeouts });
      const error = await failureOf(name === 'events' ? sessions.events('s').stream() : batches.results('b'));
      assert.deepEqual([error.kind, error.status], ['permission', 403]);
      assert.ok(written < 10, `${written}`);
    });
  }

  it('gives up what is no stream of events and drips', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n';
    const origin = await loopback.raw(head, socket => void drip(socket, spaces(), 40_000));
    await failureOf(loopback.client(origin, { timeouts }).sessions.events('s').stream());
    assert.ok(written < 10, `${written}`);
  });

  const streams = [
    ['comments', ': here\n'],
    ['pings', 'event: ping\ndata: {"type":"ping"}\n\n'],
  ] as const;
  for (const [name, piece] of streams) {
    it(`keeps a stream alive for ${name}`, async () => {
      const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n';
      const pieces = Array.from({ length: 10 }, () => piece);
      const origin = await loopback.raw(head, socket => void drip(socket, pieces, 30_000));
      await collect(await loopback.client(origin, { timeouts }).sessions.events('s').stream());
    });
  }

  it('counts expanded what came compressed unasked: an event, what is no stream, an answer', async () => {
    const page = gzipSync(`data: "${'a'.repeat(40 * 1024 * 1024)}"\n\n`);
    const origin = await loopback.http((request, response) => {
      const isStream = request.url?.includes('/events/stream') === true;
      const type = isStream ? 'text/event-stream' : 'application/json';
      response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(page);
    });
    const { sessions, models } = loopback.client(origin, { timeouts });
    assert.equal((await failureOf(collect(await sessions.events('s').stream()))).kind, 'too_large');
    assert.equal((await failureOf(sessions.threadEvents('s', 't').stream())).kind, 'not_json');
    assert.equal((await failureOf(models.list())).kind, 'too_large');
  });
});
