import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Exchange } from '../../../src/emulator/exchange';

describe('emulator/exchange', () => {
  it('comes to its end when the client goes away between the last bytes and the end of the answer', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const client = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
      client.on('error', () => undefined);
      client.end();
      const [asked, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
      const exchange = new Exchange(asked, response, 'req_1');
      async function* body() {
        yield Buffer.from('{}\n');
        const closed = once(response, 'close');
        client.destroy();
        await closed;
      }
      await assert.rejects(exchange.sendStream({}, body()));
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
