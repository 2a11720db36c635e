import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Exchange } from '../../../../src/emulator/http/serverExchange';

describe('emulator/http/serverExchange', () => {
  let server: Server;

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Sends a request. Returns the exchange, and a function that aborts the request. */
  async function ask() {
    const client = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
    client.on('error', () => undefined);
    client.end();
    const [asked, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    return { asked, response, exchange: new Exchange(asked, response, 'req_1', 'contract', Date.now), leave: () => client.destroy() };
  }

  it('ends when the client disconnects between the last bytes and the end of the response', async () => {
    const { response, exchange, leave } = await ask();
    async function* body() {
      yield Buffer.from('{}\n');
      const closed = once(response, 'close');
      leave();
      await closed;
    }
    await assert.rejects(exchange.sendStream({}, body()));
  });

  it('ends when the connection breaks while a response is cut', async () => {
    const { asked, response, exchange } = await ask();
    exchange.faults = { transport: { name: 'cutResponse', bytes: 3 }, content: new Map() };
    const write = response.write.bind(response) as (bytes: Buffer) => boolean;
    response.write = (bytes: Buffer) => {
      const hasRoom = write(bytes);
      asked.socket.destroy();
      return hasRoom;
    };
    await assert.rejects(exchange.send(200, {}, Buffer.from('{}\n')));
  });
});
