import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type FrontDoor, openFrontDoor } from '../../start/frontDoor.mjs';

const token = 'a'.repeat(32);
const folder = '/data/my samples';
const page =
  '<meta id="vscode-workbench-web-configuration" data-settings="{&quot;remoteAuthority&quot;:&quot;a&amp;b&quot;}">\n' +
  '<meta id="vscode-workbench-web-base-url" data-settings="x">';

describe('project/frontDoor', () => {
  let server: Server;
  let door: FrontDoor;
  let seen: IncomingMessage[] = [];

  before(async () => {
    server = createServer((asked, response) => {
      if (seen.some(({ socket }) => socket === asked.socket)) {
        // Simulates a server that closes an idle connection.
        asked.socket.destroy();
        return;
      }
      seen.push(asked);
      if (asked.url?.startsWith('/?')) {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': page.length }).end(page);
      } else {
        response.writeHead(asked.method === 'POST' ? 201 : 200, { 'x-of': 'server' });
        asked.pipe(response);
      }
    });
    server.on('upgrade', (asked: IncomingMessage, socket: Socket, head: Buffer) => {
      seen.push(asked);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n${head}`);
      socket.pipe(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const cookie = { name: 'of-server', value: 'secret' };
    door = await openFrontDoor({ server: { origin, cookie }, port: 0, token, folder, layout: { file: `${folder}/q.jsonl`, view: 'v' } });
  });
  beforeEach(() => {
    seen = [];
  });
  after(() => {
    door.close();
    server.closeAllConnections();
    server.close();
  });

  /** Sends a request as a browser would. `headers` replaces or adds headers. */
  async function ask(path: string, headers: Record<string, string> = {}, body?: string) {
    const method = body === undefined ? 'GET' : 'POST';
    const asked = request({ port: door.port, host: '127.0.0.1', path, method, headers: { host: `127.0.0.1:${door.port}`, ...headers } });
    asked.end(body);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    let text = '';
    for await (const part of answer.setEncoding('utf8')) {
      text += part;
    }
    return { status: answer.statusCode, headers: answer.headers, text };
  }
  const letIn = async () => ({ cookie: (await ask(`/${token}`)).headers['set-cookie']?.[0]?.split(';')[0] ?? '' });

  it('responds even if the server behind it closes used connections', async () => {
    const headers = await letIn();
    for (const path of ['/first', '/second', '/third']) {
      assert.equal((await ask(path, headers)).status, 200, path);
    }
  });

  it('admits by its address, and opens the folder', async () => {
    assert.equal(door.address, `http://127.0.0.1:${door.port}/${token}`);
    const { status, headers } = await ask(`/${token}`);
    assert.deepEqual([status, headers.location], [302, '/?folder=%2Fdata%2Fmy+samples']);
    assert.match(headers['set-cookie']?.[0] ?? '', /^managed-agents-[0-9a-f]{8}=a{32}; Path=\/; HttpOnly; SameSite=Lax$/);
    assert.deepEqual(seen, []);
  });

  it('rejects others, and says what to do', async () => {
    for (const [path, cookie] of [
      ['/', ''],
      ['/?folder=/', ''],
      [`/${'b'.repeat(32)}`, ''],
      ['/x', `managed-agents-00000000=${token}`],
      ['/x', (await letIn()).cookie.replace('aaa', 'aab')],
    ] as const) {
      const { status, text } = await ask(path, { cookie });
      assert.equal(status, 403);
      assert.match(text, /npm start printed/);
    }
    assert.deepEqual(seen, []);
  });

  it('rejects pages of other sites, and other names of this machine', async () => {
    const { cookie } = await letIn();
    const host = `127.0.0.1:${door.port}`;
    const foreign: Record<string, string>[] = [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:${door.port + 1}` },
      { origin: `http://evil.example:${door.port}`, host: `evil.example:${door.port}` },
      { host: 'evil.example' },
      { host: '127.0.0.1.evil.example' },
    ];
    for (const headers of foreign) {
      assert.equal((await ask('/x', { cookie, ...headers })).status, 403, JSON.stringify(headers));
    }
    assert.deepEqual(seen, []);
    assert.equal((await ask('/x', { cookie, origin: `http://${host}` })).status, 200);
  });

  it("passes everything on with the server's cookie, and nothing of its own", async () => {
    const { cookie } = await letIn();
    const { status, headers, text } = await ask('/some/thing?a=b', { cookie: `other=1; ${cookie}` }, 'a body');
    assert.deepEqual([status, headers['x-of'], text], [201, 'server', 'a body']);
    assert.deepEqual(
      [seen[0]?.url, seen[0]?.headers.cookie, seen[0]?.headers.host],
      ['/some/thing?a=b', 'of-server=secret', `127.0.0.1:${door.port}`],
    );
  });

  it('responds on any forwarded port, and opens the folder if none is named', async () => {
    const { cookie } = await letIn();
    assert.equal((await ask('/x', { cookie, host: 'localhost:9', origin: 'http://localhost:9' })).status, 200);
    assert.equal((await ask('/', { cookie, host: '127.0.0.1:9' })).headers.location, '/?folder=%2Fdata%2Fmy+samples');
    assert.equal((await ask('/?ew=true', { cookie })).status, 200, 'a folder that was closed stays closed');
    assert.equal((await ask('/_static/out/browser/serviceWorker.js', { cookie })).status, 404);
  });

  it("gives the page an initial layout under the browser's host name", async () => {
    const { cookie } = await letIn();
    const { text, headers } = await ask('/?folder=%2F', { cookie, host: 'localhost:9', 'accept-encoding': 'gzip', 'if-none-match': 'x' });
    const [, settings = ''] = /configuration" data-settings="([^"]*)"/.exec(text) ?? [];
    const uri = { $mid: 1, scheme: 'vscode-remote', authority: 'localhost:9', path: `${folder}/q.jsonl` };
    assert.deepEqual(JSON.parse(settings.replaceAll('&quot;', '"').replaceAll('&amp;', '&')), {
      remoteAuthority: 'a&b',
      defaultLayout: { editors: [{ uri, openOnlyIfExists: true }], views: [{ id: 'v' }] },
    });
    assert.match(text, /base-url" data-settings="x">$/);
    assert.equal(headers['content-type'], 'text/html');
    assert.deepEqual([seen[0]?.headers['accept-encoding'], seen[0]?.headers['if-none-match']], [undefined, undefined]);
  });

  it('joins web sockets of admitted clients', async () => {
    const open = async (headers: Record<string, string>) => {
      const host = `127.0.0.1:${door.port}`;
      const asked = request({
        port: door.port,
        host: '127.0.0.1',
        path: '/socket',
        headers: { host, connection: 'Upgrade', upgrade: 'websocket', ...headers },
      });
      asked.end();
      return await Promise.race([
        once(asked, 'upgrade').then(([, socket]) => socket as Socket),
        once(asked, 'response').then(([answer]) => (answer as IncomingMessage).statusCode),
      ]);
    };
    assert.equal(await open({}), 403);
    assert.equal(await open({ ...(await letIn()), origin: 'http://evil.example' }), 403);
    const socket = await open({ ...(await letIn()), origin: `http://127.0.0.1:${door.port}` });
    assert.ok(typeof socket === 'object');
    socket.write('hello');
    assert.equal(String((await once(socket, 'data'))[0]), 'hello');
    assert.equal(seen[0]?.headers.cookie, 'of-server=secret');
    socket.destroy();
  });

  it('takes another port if the preferred one is taken', async () => {
    const cookie = { name: 'a', value: 'b' };
    const origin = 'http://127.0.0.1:1';
    const other = await openFrontDoor({ server: { origin, cookie }, port: door.port, token, folder, layout: { file: '', view: '' } });
    assert.notEqual(other.port, door.port);
    const letIn = await fetch(other.address, { redirect: 'manual' });
    const answer = await fetch(new URL('/x', other.address), { headers: { cookie: letIn.headers.getSetCookie()[0]?.split(';')[0] ?? '' } });
    assert.deepEqual([answer.status, await answer.text()], [502, 'VS Code does not answer. The terminal of npm start says more.']);
    other.close();
  });
});
