import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { Connector } from '../../../../src/client/transport/connector';
import { Exchange, type ExchangeFailure, type RawResponse } from '../../../../src/client/transport/exchange';
import { ConnectionPool, HttpConnection } from '../../../../src/client/transport/httpConnection';

/** A socket on which the test plays the service. */
class PlayedSocket extends Duplex {
  readonly bytesWritten = 0;

  override _read(): void {}

  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    done();
  }

  setNoDelay(): this {
    return this;
  }
}

class PlayedConnector extends Connector {
  readonly socket = new PlayedSocket();

  constructor() {
    super({}, () => undefined, 1000);
  }

  override connect(_target: unknown, connected: (error: undefined, socket: Socket) => void): () => void {
    queueMicrotask(() => connected(undefined, this.socket as unknown as Socket));
    return () => {};
  }
}

describe('client/transport/httpConnection', () => {
  async function begin(): Promise<{ readonly socket: PlayedSocket; readonly response: RawResponse }> {
    const connector = new PlayedConnector();
    const connection = new HttpConnection('http://service.test', connector, false);
    const timeouts = { firstByte: 5000, silence: 5000, call: 5000 };
    const running = new Exchange(
      connection,
      { method: 'GET', path: '/', headers: {}, timeouts },
      undefined,
      () => void connection.destroy(),
    ).run();
    setImmediate(() => connector.socket.push('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nfirst\n'));
    return { socket: connector.socket, response: await running };
  }

  it("doesn't treat a reset as the end of a body without length", async () => {
    const { socket, response } = await begin();
    const reading = (async () => {
      for await (const _ of response.body) {
        socket.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
      }
    })();
    await assert.rejects(reading, (error: ExchangeFailure) => error.reason === 'lost');
  });

  for (const end of ['end', 'reset'] as const) {
    it(`survives the ${end} of a connection whose reader pauses it`, async () => {
      const { socket, response } = await begin();
      const piece = 600 * 1024;
      socket.push(Buffer.alloc(piece));
      await new Promise(resolve => setImmediate(resolve));
      // This piece pauses the reader again. The connection ends right after this piece.
      socket.push(Buffer.alloc(piece));
      const closed = new Promise(resolve => socket.once('close', resolve));
      if (end === 'end') {
        socket.push(null);
      } else {
        socket.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
        await closed;
      }
      let size = 0;
      const reading = (async () => {
        for await (const bytes of response.body) {
          size += bytes.byteLength;
          await new Promise(resolve => setImmediate(resolve));
        }
      })();
      await (end === 'end' ? reading : assert.rejects(reading, (error: ExchangeFailure) => error.reason === 'lost'));
      // After a reset, only bytes that were read before it are delivered.
      assert.equal(size, (end === 'end' ? 2 * piece : piece) + 'first\n'.length);
    });
  }

  it('reuses returned connections, at most four, and none after it was closed', async () => {
    const pool = new ConnectionPool('http://service.test', new PlayedConnector());
    const taken = Array.from({ length: 6 }, () => pool.take(true));
    for (const connection of taken) {
      await pool.give(connection, true);
    }
    assert.equal(pool.take(true), taken[3]);
    assert.equal(taken.includes(pool.take(false)), false);
    await pool.close();
    assert.equal(taken.includes(pool.take(true)), false);
  });
});
