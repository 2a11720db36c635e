import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import net, { type Socket } from 'node:net';
import tls from 'node:tls';
import type { NetworkOptions, ServiceClientOptions } from '../../../../src/client/clientOptions';
import { failureOf, json, Loopback } from '../loopback';

const read = (name: string) => readFileSync(`test/fixtures/tls/${name}`, 'utf8');

describe('client/transport/connector', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  const identity = { key: read('server.key'), cert: read('server.pem') };
  const trusted = { certificateAuthorities: [read('authority.pem')] };
  const direct: NetworkOptions = { proxyFor: () => undefined };

  async function secureService(): Promise<number> {
    const server = https.createServer(identity, (_, response) => json(response, { data: [{ id: 'secure' }] }));
    server.on('tlsClientError', () => {});
    return loopback.listen(server);
  }

  /** Starts a proxy that answers CONNECT with `answer`. If the status is 200, the proxy opens the tunnel to `port`. */
  async function proxy(
    port: number,
    answer = 'HTTP/1.1 200 Connection Established\r\n\r\n',
    wrap?: (listener: (socket: Socket) => void) => net.Server,
  ) {
    const heads: string[] = [];
    const onSocket = (socket: Socket) => {
      socket.on('error', () => {});
      socket.once('data', head => {
        heads.push(head.toString());
        socket.write(answer);
        if (answer.includes(' 200 ')) {
          const upstream = net.connect(port, '127.0.0.1');
          upstream.on('error', () => socket.destroy());
          socket.once('close', () => upstream.destroy());
          socket.pipe(upstream).pipe(socket);
        }
      });
    };
    const server = wrap?.(onSocket) ?? net.createServer(onSocket);
    return { heads, address: `127.0.0.1:${await loopback.listen(server)}` };
  }

  it('trusts a private authority only on request', async () => {
    const origin = `https://localhost:${await secureService()}`;
    const page = await loopback.client(origin, { network: { ...direct, ...trusted } }).models.list();
    assert.equal(page.items[0]?.id, 'secure');
    const error = await failureOf(loopback.client(origin, { network: direct }).models.list());
    assert.deepEqual([error.kind, error.outcome], ['tls', 'not_sent']);
    assert.match(error.message, /certificate/);
    const lax = await loopback.client(origin, { network: { ...direct, strictTls: false } }).models.list();
    assert.equal(lax.items.length, 1);
  });

  it('checks the name in the certificate, and accepts an address as a name', async () => {
    const port = await secureService();
    const byAddress = await loopback.client(`https://127.0.0.1:${port}`, { network: { ...direct, ...trusted } }).models.list();
    assert.equal(byAddress.items.length, 1);
    const tunnel = await proxy(port);
    const network = { ...trusted, proxyFor: () => `http://${tunnel.address}` };
    const error = await failureOf(loopback.client('https://another.test', { network }).models.list());
    assert.equal(error.kind, 'tls');
  });

  it('connects through a proxy with CONNECT, with credentials from its address or from the options', async () => {
    const port = await secureService();
    const tunnel = await proxy(port);
    const asked: string[] = [];
    const withUser: NetworkOptions = {
      ...trusted,
      proxyFor: url => {
        asked.push(url.origin);
        return `http://us%40er:pass@${tunnel.address}`;
      },
    };
    const page = await loopback.client('https://service.test', { network: withUser }).models.list();
    assert.equal(page.items[0]?.id, 'secure');
    assert.deepEqual(asked, ['https://service.test']);
    assert.match(tunnel.heads[0] ?? '', /^CONNECT service\.test:443 HTTP\/1\.1\r\nHost: service\.test:443\r\n/);
    assert.match(tunnel.heads[0] ?? '', new RegExp(`Proxy-Authorization: Basic ${Buffer.from('us@er:pass').toString('base64')}\r\n`));
    const withToken = { ...trusted, proxyFor: () => tunnel.address, proxyAuthorization: 'Token t' };
    await loopback.client('https://service.test', { network: withToken }).models.list();
    assert.match(tunnel.heads[1] ?? '', /Proxy-Authorization: Token t\r\n/);
  });

  it('sends neither key nor path to the proxy in plain text', async () => {
    const tunnel = await proxy(await secureService());
    await loopback.client('https://service.test', { network: { ...trusted, proxyFor: () => tunnel.address } }).models.list();
    assert.equal(/CANARY|models/i.test(tunnel.heads.join('')), false);
  });

  it('connects through a TLS proxy', async () => {
    const tunnel = await proxy(await secureService(), undefined, listener => tls.createServer(identity, listener));
    const network = { ...trusted, proxyFor: () => `https://${tunnel.address.replace('127.0.0.1', 'localhost')}` };
    const page = await loopback.client('https://service.test', { network }).models.list();
    assert.equal(page.items[0]?.id, 'secure');
  });

  it("distinguishes a proxy that wants credentials, one that rejects, and a server that isn't a proxy", async () => {
    const answers = [
      'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n',
      'HTTP/1.1 502 Bad Gateway\r\n\r\n',
      'SSH-2.0-x\r\n\r\n',
      'x'.repeat(20_000),
    ];
    const found: unknown[] = [];
    for (const answer of answers) {
      const tunnel = await proxy(0, answer);
      const error = await failureOf(loopback.client('https://service.test', { network: { proxyFor: () => tunnel.address } }).models.list());
      assert.ok(error.message.includes(tunnel.address), error.message);
      found.push([error.kind, error.outcome, error.status]);
    }
    assert.deepEqual(found, [
      ['proxy', 'not_sent', 407],
      ['proxy', 'not_sent', 502],
      ['proxy', 'not_sent', undefined],
      ['proxy', 'not_sent', undefined],
    ]);
  });

  it('distinguishes an unreachable proxy and an unsupported kind', async () => {
    for (const address of [`127.0.0.1:${await loopback.closedPort()}`, 'socks5://127.0.0.1:1080', 'http://', '::']) {
      const error = await failureOf(loopback.client('https://service.test', { network: { proxyFor: () => address } }).batches.cancel('b'));
      assert.deepEqual([error.kind, error.outcome], ['proxy', 'not_sent'], address);
    }
  });

  it("explains what is wrong with a proxy's address", async () => {
    const said = async (address: string) => {
      const error = await failureOf(loopback.client('https://service.test', { network: { proxyFor: () => address } }).models.list());
      assert.deepEqual([error.kind, error.outcome], ['proxy', 'not_sent']);
      return error.message;
    };
    const tunnel = await proxy(0);
    const percent = await said(`http://user:50%off@${tunnel.address}`);
    assert.match(
      percent,
      /through the proxy 127\.0\.0\.1:\d+: a "%" in the user name or password of its address has to be written as "%25"/,
    );
    assert.ok(!percent.includes('50%off'), percent);
    assert.deepEqual(tunnel.heads, []);
    assert.match(await said('::'), /through the configured proxy: its address is not a URL/);
    assert.match(await said('pac+http://127.0.0.1:1/proxy.pac'), /neither are PAC files/);
  });

  it('sends no plain http to another machine with a local name', async () => {
    let requests = 0;
    const port = new URL(await loopback.http((_, response) => json(response, { data: [{ id: String(++requests) }] }))).port;
    const lookup =
      (...addresses: readonly string[]): NonNullable<NetworkOptions['lookup']> =>
      (_, options, found) => {
        const all = addresses.map(address => ({ address, family: net.isIP(address) }));
        if (options.all === true) {
          found(null, all);
        } else {
          found(null, addresses[0] ?? '', net.isIP(addresses[0] ?? ''));
        }
      };
    const list = (host: string, network: NetworkOptions, options?: Pick<ServiceClientOptions, 'allowInsecureHttp' | 'timeouts'>) =>
      loopback.client(`http://${host}:${port}`, { network, ...options }).models.list();
    for (const [host, addresses] of [
      ['box.localhost', ['192.0.2.1']],
      ['localhost', ['192.0.2.1']],
      ['box.localhost', ['127.0.0.1', '192.0.2.1']],
      ['box.localhost', ['2001:db8::1']],
      ['box.localhost', ['::ffff:192.0.2.1']],
    ] as const) {
      const error = await failureOf(list(host, { ...direct, lookup: lookup(...addresses) }));
      assert.deepEqual([error.kind, error.outcome], ['insecure_http', 'not_sent'], host);
      assert.ok(error.message.includes(addresses.find(address => address !== '127.0.0.1') ?? ''), error.message);
    }
    assert.equal(requests, 0);
    for (const addresses of [['127.0.0.1'], ['::ffff:127.0.0.1']]) {
      assert.equal((await list('box.localhost', { ...direct, lookup: lookup(...addresses) })).items.length, 1);
    }
    // `allowInsecureHttp` allows plain HTTP for any address of the host.
    const allowed = await failureOf(
      list('box.localhost', { ...direct, lookup: lookup('192.0.2.1') }, { allowInsecureHttp: true, timeouts: { connect: 50 } }),
    );
    assert.notEqual(allowed.kind, 'insecure_http');
  });

  it('gives up on a connection without a response to CONNECT, or without TLS', async () => {
    const silent = new URL(await loopback.tcp(() => {})).host;
    const options = { timeouts: { connect: 40 } };
    const throughProxy = loopback.client('https://service.test', { ...options, network: { proxyFor: () => silent } });
    assert.equal((await failureOf(throughProxy.models.list())).kind, 'proxy');
    const withoutTls = loopback.client(`https://${silent}`, { ...options, network: direct });
    const error = await failureOf(withoutTls.models.list());
    assert.deepEqual([error.kind, error.outcome], ['connect_timeout', 'not_sent']);
  });

  it("reports that the other side doesn't speak TLS", async () => {
    const plain = await loopback.http((_, response) => json(response, {}));
    const error = await failureOf(loopback.client(plain.replace('http:', 'https:'), { network: direct }).models.list());
    assert.deepEqual([error.kind, error.outcome], ['tls', 'not_sent']);
  });

  it('closes a connecting socket when the call is aborted', async () => {
    let onClose = () => {};
    const closed = new Promise<void>(resolve => {
      onClose = resolve;
    });
    const controller = new AbortController();
    const silent = await loopback.tcp(socket => {
      socket.once('close', onClose);
      socket.resume();
      controller.abort();
    });
    const client = loopback.client(silent.replace('http:', 'https:'), { network: direct });
    const error = await failureOf(client.batches.cancel('b', { signal: controller.signal }));
    assert.deepEqual([error.kind, error.outcome], ['aborted', 'not_sent']);
    await closed;
  });
});
