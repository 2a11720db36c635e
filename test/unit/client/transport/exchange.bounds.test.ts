import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { HeldTimers } from '../../../helpers/heldTimers';
import { turns, until } from '../../../helpers/until';
import { collect, failureOf, Loopback } from '../loopback';

/** Timeouts of these calls, in milliseconds. Each one is unique, so that tests can tell their timers apart. */
const timeouts = { firstByte: 60_001, bodySilence: 60_003, streamSilence: 45_001, call: 120_001 };

describe('limits of client/transport/exchange', () => {
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
   * Writes pieces until the connection is closed. `pause` milliseconds pass after each piece. With `countsAsLife`, first waits until the
   * piece has restarted the timer.
   */
  async function drip(socket: Socket, pieces: Iterable<string | Buffer>, pause: number, countsAsLife = false): Promise<void> {
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
      await until(() => !countsAsLife || timers.starts > starts || isClosed);
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

  it('gives up on a create whose response drips', async () => {
    const origin = await loopback.raw(
      'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n',
      socket => void drip(socket, spaces(), 59_000, true),
    );
    const error = await failureOf(loopback.client(origin, { timeouts }).batches.create(body(10)));
    assert.deepEqual([error.kind, error.outcome], ['call_timeout', 'unknown']);
  });

  it('gives up on a file upload whose response drips', async () => {
    const origin = await loopback.raw(
      'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n',
      socket => void drip(socket, spaces(), 59_000, true),
    );
    const error = await failureOf(loopback.client(origin, { timeouts }).files.upload({ name: 'a', content: body(10) }));
    assert.deepEqual([error.kind, error.outcome], ['call_timeout', 'unknown']);
  });

  it('gives up on an upload that advances byte by byte', async () => {
    const origin = await loopback.tcp(socket => socket.resume());
    let pieces = 0;
    const content = {
      byteLength: 1000,
      async *open(signal: AbortSignal) {
        while (!signal.aborted && pieces < 100) {
          pieces++;
          await turns(3);
          timers.pass(59_000);
          yield Buffer.from(' ');
        }
      },
    };
    const error = await failureOf(loopback.client(origin, { timeouts }).batches.create(content));
    assert.equal(error.kind, 'call_timeout');
    assert.ok(pieces < 10, `${pieces}`);
  });

  for (const name of ['events', 'results'] as const) {
    it(`reports a streamed GET with a dripping error page by its status (${name})`, async () => {
      const origin = await loopback.raw(
        'HTTP/1.1 403 No\r\ncontent-length: 1000\r\n\r\n',
        socket => void drip(socket, spaces(), 40_000, true),
      );
      const { sessions, batches } = loopback.client(origin, { timeouts });
      const error = await failureOf(name === 'events' ? sessions.events('s').stream() : batches.results('b'));
      assert.deepEqual([error.kind, error.status], ['permission', 403]);
      assert.ok(written < 10, `${written}`);
    });
  }

  it("gives up on a dripping response that isn't an event stream", async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n';
    const origin = await loopback.raw(head, socket => void drip(socket, spaces(), 40_000, true));
    await failureOf(loopback.client(origin, { timeouts }).sessions.events('s').stream());
    assert.ok(written < 10, `${written}`);
  });

  it('gives up on results that arrive byte by byte', async () => {
    const origin = await loopback.raw('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n', socket => void drip(socket, spaces(), 30_000));
    const { body: results } = await loopback.client(origin, { timeouts }).batches.results('b');
    assert.equal((await failureOf(collect(results))).kind, 'silence_timeout');
  });

  const streams: readonly (readonly [name: string, pieces: () => Iterable<string | Buffer>, isAlive: boolean])[] = [
    ['a comment without end', () => [': ', ...Array.from({ length: 100 }, () => 'a'.repeat(5000))], false],
    ['an event without end', () => ['data: ', ...Array.from({ length: 100 }, () => 'a')], false],
    ['comments', () => Array.from({ length: 10 }, () => ': here\n'), true],
    ['pings', () => Array.from({ length: 10 }, () => 'event: ping\ndata: {"type":"ping"}\n\n'), true],
  ];
  for (const [name, pieces, isAlive] of streams) {
    it(`${isAlive ? 'keeps' : 'does not keep'} a stream alive for ${name}`, async () => {
      const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n';
      const origin = await loopback.raw(head, socket => void drip(socket, pieces(), 30_000, isAlive));
      const reading = collect(await loopback.client(origin, { timeouts }).sessions.events('s').stream());
      if (isAlive) {
        await reading;
      } else {
        assert.equal((await failureOf(reading)).kind, 'silence_timeout');
      }
    });
  }

  it('checks the decompressed text of a stream for signs of life, not its bytes', async () => {
    const packed = gzipSync(`: ${'a'.repeat(5_000_000)}`);
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: gzip\r\n\r\n';
    const pieces = Array.from({ length: 50 }, (_, index) => packed.subarray(index * 20, index * 20 + 20));
    const origin = await loopback.raw(head, socket => void drip(socket, pieces, 30_000));
    const reading = collect(await loopback.client(origin, { timeouts }).sessions.events('s').stream());
    assert.equal((await failureOf(reading)).kind, 'silence_timeout');
  });

  it('counts the decompressed size of unrequested compression: of an event, another body, and a response', async () => {
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
