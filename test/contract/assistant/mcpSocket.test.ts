import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Agent, fetch } from 'undici';
import { McpServer } from '../../../src/features/assistant/mcp/mcpServer';
import { assistantTools } from '../../../src/features/assistant/tools';
import { AssistantBench } from './assistantBench';

const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } });

describe('features/assistant/mcp at a socket of the file system', () => {
  let bench: AssistantBench;
  let server: McpServer;
  const authorization = () => `Bearer ${server.token}`;

  before(async () => {
    bench = await AssistantBench.start();
  });

  after(() => bench.stop());

  beforeEach(async () => {
    server = new McpServer({ services: bench.services(), version: '1.2.3' }, 'socket');
    await server.started;
  });

  afterEach(() => server.dispose());

  /** Sends one request as any program of this user could. */
  async function ask(headers: http.OutgoingHttpHeaders, body: string, method = 'POST'): Promise<number | undefined> {
    const options = { socketPath: server.path, path: '/mcp', method, agent: false };
    const sent = http.request({ ...options, headers: { 'content-type': 'application/json', host: 'localhost', ...headers } });
    sent.on('error', () => undefined);
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response.statusCode;
  }

  it('serves the tools to an MCP client as on a port', async () => {
    const dispatcher = new Agent({ connect: { socketPath: server.path } });
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers: { authorization: authorization() } },
      fetch: ((url: string, init: object) => fetch(url, { ...init, dispatcher })) as never,
    });
    try {
      await client.connect(transport as never);
      assert.deepEqual(
        (await client.listTools()).tools.map(({ name }) => name),
        assistantTools.map(({ name }) => name),
      );
      const params = { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: 'Hi' }] };
      bench.write('one.jsonl', { custom_id: 'a', params });
      const { content, isError } = await client.callTool({ name: 'check_requests', arguments: { file: 'one.jsonl' } });
      assert.match(JSON.stringify(content), /\\"requests\\":1/);
      assert.ok(isError !== true);
    } finally {
      await client.close();
      await dispatcher.close();
    }
  });

  it('rejects calls without the token, with another host name, or from a browser', async () => {
    assert.equal(await ask({}, initialize), 401);
    assert.equal(await ask({ authorization: `${authorization}x` }, initialize), 401);
    assert.equal(await ask({ authorization: authorization(), host: '127.0.0.1' }, initialize), 403);
    assert.equal(await ask({ authorization: authorization(), host: 'evil.example' }, initialize), 403);
    assert.equal(await ask({ authorization: authorization(), origin: 'http://localhost' }, initialize), 403);
    assert.equal(await ask({ authorization: authorization() }, '', 'GET'), 405);
    assert.equal(await ask({ authorization: authorization() }, initialize), 200);
  });

  it("limits the size of a client's input", async () => {
    assert.equal(await ask({ authorization: authorization() }, 'x'.repeat(1024 * 1024 + 1)), 413);
  });

  it('limits how long a client may take', async () => {
    server.dispose();
    server = new McpServer({ services: bench.services(), version: '1', patience: 200 }, 'socket');
    await server.started;
    const hanging = net.connect(server.path);
    hanging.on('error', () => undefined).resume();
    hanging.write('POST /mcp HTTP/1.1\r\nhost: ');
    await once(hanging, 'close');
  });

  it('listens where no other user can connect, and leaves no files behind', () => {
    const folder = path.dirname(server.path);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.ok(statSync(server.path).isSocket());
    server.dispose();
    assert.equal(existsSync(server.path), false);
    assert.equal(existsSync(folder), false);
  });
});
