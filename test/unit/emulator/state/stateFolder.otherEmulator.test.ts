import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import net from 'node:net';
import { askHolder, untilGone } from '../../../../src/emulator/state/stateFolder';

describe('emulator/state/stateFolder', () => {
  let server: net.Server;
  let port: number;
  /** Response of the other emulator on a connection. */
  let answer: (socket: net.Socket) => void;

  beforeEach(async () => {
    server = net.createServer(socket => socket.on('error', () => undefined).once('data', () => answer(socket)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  afterEach(() => {
    server.close();
  });

  const begin = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  const gone = () => untilGone({ url: `http://127.0.0.1:${port}`, key: 'k' }, new AbortController().signal);
  /** Runs `act` on a connection once the client has seen the start of the response. */
  const whenAnswered = (act: (socket: net.Socket) => void) => (socket: net.Socket) => {
    const onAnswer = () => {
      unsubscribe('http.client.response.finish', onAnswer);
      setImmediate(act, socket);
    };
    subscribe('http.client.response.finish', onAnswer);
    socket.write(begin);
  };

  for (const [name, act] of [
    ['ends', (socket: net.Socket) => socket.end('0\r\n\r\n')],
    ['is cut off', (socket: net.Socket) => socket.destroy()],
    ['is reset', (socket: net.Socket) => socket.resetAndDestroy()],
    ['says what is no HTTP', (socket: net.Socket) => socket.write('garbage\r\n')],
  ] as const) {
    it(`is gone when its connection ${name} before it responded`, async () => {
      answer = act;
      await gone();
    });

    it(`is gone when its connection ${name} after it responded`, async () => {
      answer = whenAnswered(act);
      await gone();
    });
  }

  it("isn't gone while its connection is open, until the caller stops", async () => {
    const unwanted = new AbortController();
    answer = whenAnswered(() => unwanted.abort());
    await untilGone({ url: `http://127.0.0.1:${port}`, key: 'k' }, unwanted.signal);
    assert.equal(unwanted.signal.aborted, true);
  });

  it("doesn't own a lock if its response is reset", async () => {
    answer = socket =>
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{"key":`, () => setImmediate(() => socket.resetAndDestroy()));
    assert.equal(await askHolder(port, '/lock'), undefined);
  });
});
