import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { HeldTimers } from '../../../helpers/heldTimers';
import { turns, until } from '../../../helpers/until';
import { deferred, failureOf, json, Loopback, newBatch, readBody, reset } from '../loopback';

describe('client/transport/exchange', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  function bodyOf(...pieces: readonly string[]) {
    const byteLength = pieces.join('').length;
    return {
      byteLength,
      async *open() {
        for (const piece of pieces) {
          yield Buffer.from(piece);
        }
      },
    };
  }

  it('streams a create and reports its progress', async () => {
    const origin = await loopback.http(async (request, response) => {
      const length = request.headers['content-length'];
      json(response, newBatch({ echo: `${length} ${await readBody(request)} ${request.headers['transfer-encoding']}` }));
    });
    const progress: number[] = [];
    const { data } = await loopback.client(origin).batches.create(bodyOf('{"a":', '1', '}'), { onProgress: sent => progress.push(sent) });
    assert.equal(data.echo, '7 {"a":1} undefined');
    assert.deepEqual(progress, [5, 6, 7]);
  });

  it('passes on the error of a failing body, which was then never complete', async () => {
    const received: string[] = [];
    const origin = await loopback.tcp(socket => {
      socket.on('data', chunk => received.push(chunk.toString()));
    });
    const broken = new Error('the file changed');
    const failing = {
      byteLength: 6,
      async *open() {
        yield Buffer.from('123');
        yield Buffer.from('456');
        throw broken;
      },
    };
    await assert.rejects(loopback.client(origin).batches.create(failing), error => error === broken);
    assert.equal(received.join('').includes('456'), false);
  });

  it('rejects a body with another length than promised', async () => {
    const origin = await loopback.http(async (request, response) => json(response, newBatch({ id: await readBody(request) })));
    const client = loopback.client(origin);
    for (const byteLength of [2, 4]) {
      await assert.rejects(client.batches.create({ ...bodyOf('123'), byteLength }), /bytes than the/);
    }
  });

  it('reports a rejected connection: nothing was sent', async () => {
    const port = await loopback.closedPort();
    const error = await failureOf(loopback.client(`http://127.0.0.1:${port}`).batches.create(bodyOf('{}')));
    assert.deepEqual([error.kind, error.outcome], ['connection_refused', 'not_sent']);
    assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${port}`));
  });

  it('reports a host without an address', async () => {
    const error = await failureOf(
      loopback.client('https://no-such-host.invalid', { network: { proxyFor: () => undefined } }).batches.create(bodyOf('{}')),
    );
    assert.deepEqual([error.kind, error.outcome], ['dns', 'not_sent']);
  });

  const lost: readonly (readonly [name: string, onSocket: (socket: Socket) => void])[] = [
    ['after the accept', socket => socket.destroy()],
    ['at the first bytes of the request', socket => socket.once('data', () => socket.destroy())],
    ['with a reset', socket => socket.once('data', () => reset(socket))],
    ['within the head of the answer', socket => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-'))],
    ['within the body', socket => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id"'))],
    [
      'within a chunked body',
      socket => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"id"\r\n')),
    ],
  ];
  for (const [name, onSocket] of lost) {
    it(`treats a create as unknown when the connection breaks ${name}`, async () => {
      const origin = await loopback.tcp(onSocket);
      const error = await failureOf(loopback.client(origin).batches.create(bodyOf('{"requests":[', ']}')));
      assert.equal(error.kind, 'connection_lost');
      // A connection that ends right after the accept may have written nothing yet.
      assert.ok(error.outcome === 'unknown' || name === 'after the accept', error.outcome);
    });
  }

  it('treats a create as unknown when the connection breaks during the upload', async () => {
    const origin = await loopback.tcp(socket => {
      let size = 0;
      socket.on('data', chunk => {
        size += chunk.length;
        if (size > 500_000) {
          socket.destroy();
        }
      });
    });
    let closed = false;
    const endless = {
      byteLength: 1_000_000_000,
      async *open() {
        try {
          while (true) {
            yield Buffer.alloc(65_536, 32);
          }
        } finally {
          closed = true;
        }
      },
    };
    const error = await failureOf(loopback.client(origin).batches.create(endless));
    assert.deepEqual([error.kind, error.outcome], ['connection_lost', 'unknown']);
    await new Promise(resolve => setImmediate(resolve));
    assert.equal(closed, true);
  });

  it('is finished with a chunk of an upload when it asks for the next', async () => {
    const origin = await loopback.http(async (request, response) => json(response, newBatch({ id: await readBody(request) })));
    const sizes = [10, 300_000, 70_000, 5, 65_536, 400_000, 20];
    const memory = Buffer.alloc(400_000);
    const body = {
      byteLength: sizes.reduce((sum, size) => sum + size, 0),
      async *open() {
        for (const [index, size] of sizes.entries()) {
          yield memory.fill(0x61 + index).subarray(0, size);
        }
        memory.fill(0x7a);
      },
    };
    const { data } = await loopback.client(origin).batches.create(body);
    assert.ok(data.id === sizes.map((size, index) => String.fromCharCode(0x61 + index).repeat(size)).join(''));
  });

  it('reads a response that arrives before the end of the upload', async () => {
    const origin = await loopback.http((_, response) => {
      json(response, { type: 'error', error: { type: 'authentication_error', message: 'no' } }, 401, { connection: 'close' });
    });
    const slow = {
      byteLength: 10,
      async *open(signal: AbortSignal) {
        yield Buffer.from('12345');
        yield Buffer.from('6789');
        await once(signal, 'abort');
        yield Buffer.from('0');
      },
    };
    const error = await failureOf(loopback.client(origin).batches.create(slow));
    assert.deepEqual([error.kind, error.outcome], ['authentication', 'refused']);
  });

  it('returns what arrived before a body was cut', async () => {
    const origin = await loopback.raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"custom_id":"a"}\n');
    const stream = await loopback.client(origin).batches.results('b');
    assert.equal(stream.contentLength, 100);
    let text = '';
    const reading = (async () => {
      for await (const bytes of stream.body) {
        text += Buffer.from(bytes).toString();
      }
    })();
    assert.equal((await failureOf(reading)).kind, 'connection_lost');
    assert.equal(text, '{"custom_id":"a"}\n');
  });

  for (const end of ['end', 'reset'] as const) {
    it(`survives a connection that ends (${end}) while its reader is slow`, async () => {
      const origin = await loopback.tcp(socket => {
        socket.once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2097152\r\nconnection: close\r\n\r\n');
          socket.write(Buffer.alloc(2 * 1024 * 1024, 97), () => (end === 'end' ? socket.end() : reset(socket)));
        });
      });
      const { body } = await loopback.client(origin).batches.results('b');
      let size = 0;
      const reading = (async () => {
        for await (const bytes of body) {
          size += bytes.byteLength;
          await turns(5);
        }
      })();
      if (end === 'end') {
        await reading;
        assert.equal(size, 2 * 1024 * 1024);
      } else {
        assert.equal((await failureOf(reading)).kind, 'connection_lost');
      }
    });
  }

  it("pauses the service while its reader is slow, and doesn't treat that as silence", async () => {
    let written = 0;
    const origin = await loopback.tcp(socket => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 67108864\r\n\r\n');
        const more = () => {
          while (written < 67_108_864) {
            written += 65_536;
            if (!socket.write(Buffer.alloc(65_536))) {
              socket.once('drain', more);
              return;
            }
          }
        };
        more();
      });
    });
    const timers = new HeldTimers([500]);
    loopback.onClose(async () => timers.release());
    const { body } = await loopback.client(origin, { timeouts: { bodySilence: 500 } }).batches.results('b');
    const iterator = body[Symbol.asyncIterator]();
    let size = (await iterator.next()).value?.byteLength ?? 0;
    await until(() => timers.count === 0);
    for (let before = -1; before < written; ) {
      before = written;
      await turns(100);
    }
    assert.ok(written < 32_000_000, `${written}`);
    timers.pass(60_000);
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      size += next.value.byteLength;
    }
    assert.equal(size, 67_108_864);
  });

  it("gives up on a response that doesn't start", async () => {
    const origin = await loopback.tcp(() => {});
    const error = await failureOf(loopback.client(origin, { timeouts: { firstByte: 30 } }).models.list());
    assert.deepEqual([error.kind, error.outcome], ['first_byte_timeout', 'unknown']);
  });

  it('gives up on a body that falls silent', async () => {
    const origin = await loopback.raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{', () => {});
    const error = await failureOf(loopback.client(origin, { timeouts: { bodySilence: 30 } }).models.list());
    assert.equal(error.kind, 'silence_timeout');
  });

  it('gives up on a call that drips for too long', async () => {
    const origin = await loopback.raw('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', socket => {
      const timer = setInterval(() => socket.write(' '), 5);
      socket.once('close', () => clearInterval(timer));
    });
    const error = await failureOf(loopback.client(origin, { timeouts: { call: 60 } }).models.list());
    assert.equal(error.kind, 'call_timeout');
  });

  it('lets an upload take as long as it advances, and gives up on a stuck one', async () => {
    const origin = await loopback.http(async (request, response) => json(response, newBatch({ id: await readBody(request) })));
    const client = loopback.client(origin, { timeouts: { call: 80, firstByte: 80 } });
    const timers = new HeldTimers([80]);
    loopback.onClose(async () => timers.release());
    const slow = (pause: number) => ({
      byteLength: 6 * 16_384,
      async *open() {
        for (const piece of ['1', '2', '3', '4', '5', '6']) {
          await turns(1);
          timers.pass(pause);
          yield Buffer.from(piece.repeat(16_384));
        }
      },
    });
    assert.equal((await client.batches.create(slow(30))).data.id.length, 6 * 16_384);
    const error = await failureOf(client.batches.create(slow(300)));
    assert.equal(error.kind, 'call_timeout');
  });

  it("reports a response that isn't HTTP", async () => {
    const origin = await loopback.raw('SSH-2.0-OpenSSH_9.9\r\n');
    const error = await failureOf(loopback.client(origin).batches.retrieve('b'));
    assert.deepEqual([error.kind, error.outcome], ['not_json', 'unknown']);
  });

  const phases: readonly (readonly [name: string, answer: string | undefined])[] = [
    ['before an answer', undefined],
    ['within the body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{'],
  ];
  for (const [name, answer] of phases) {
    it(`settles at once and closes the socket when aborted ${name}`, async () => {
      const controller = new AbortController();
      const closed = deferred();
      const origin = await loopback.tcp(socket => {
        socket.once('close', () => closed.resolve());
        socket.once('data', () =>
          answer === undefined ? controller.abort() : socket.write(answer, () => setImmediate(() => controller.abort())),
        );
      });
      const error = await failureOf(loopback.client(origin).models.list({ signal: controller.signal }));
      assert.deepEqual([error.kind, error.outcome], ['aborted', 'unknown']);
      await closed.promise;
    });
  }

  it('sends nothing when aborted before, or while the key is read', async () => {
    const port = await loopback.closedPort();
    const origin = `http://127.0.0.1:${port}`;
    const before = await failureOf(loopback.client(origin).models.list({ signal: AbortSignal.abort() }));
    assert.deepEqual([before.kind, before.outcome], ['aborted', 'not_sent']);
    const controller = new AbortController();
    const waiting = loopback.client(origin, { credential: () => new Promise(() => {}) }).models.list({ signal: controller.signal });
    controller.abort();
    assert.equal((await failureOf(waiting)).kind, 'aborted');
  });

  it('closes the connection when a stream is left early', async () => {
    const closed = deferred();
    const origin = await loopback.tcp(socket => {
      socket.once('close', () => closed.resolve());
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\nline\n'));
    });
    const { body } = await loopback.client(origin).batches.results('b');
    for await (const _ of body) {
      break;
    }
    await closed.promise;
  });

  it('closes every connection with the client', async () => {
    const closed = deferred();
    const origin = await loopback.tcp(socket => {
      socket.once('close', () => closed.resolve());
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n{"data":[]} '));
    });
    const client = loopback.client(origin);
    await client.models.list();
    await client.close();
    await closed.promise;
    assert.equal((await failureOf(client.models.list())).kind, 'aborted');
  });

  it('ends running calls when the client is closed, without retries', async () => {
    let count = 0;
    const client = loopback.client(
      await loopback.tcp(() => {
        count++;
        void client.close();
      }),
    );
    assert.equal((await failureOf(client.models.list())).kind, 'aborted');
    assert.equal(count, 1);
  });
});
