import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as tls from 'node:tls';
import {
  type NetworkSources,
  readCertificateAuthorities,
  splitPem,
  toNetworkOptions,
} from '../../../../../src/features/connection/network/networkOptions';

const nothing: NetworkSources = {
  proxy: '',
  noProxy: [],
  proxySupport: 'override',
  strictSsl: true,
  proxyAuthorization: undefined,
  environment: {},
  certificateAuthorities: [],
};

const proxyFor = (url: string, sources: Partial<NetworkSources>) => toNetworkOptions({ ...nothing, ...sources }).proxyFor?.(new URL(url));

describe('features/connection/network/networkOptions', () => {
  it('prefers the proxy of the settings to that of the environment', () => {
    const environment = { HTTPS_PROXY: 'http://env:1', HTTP_PROXY: 'http://plain:2' };
    assert.equal(proxyFor('https://a.example', { proxy: 'http://set:3', environment }), 'http://set:3');
    assert.equal(proxyFor('https://a.example', { environment }), 'http://env:1');
    assert.equal(proxyFor('http://a.example', { environment }), 'http://plain:2');
    assert.equal(proxyFor('https://a.example', {}), undefined);
  });

  it('never uses a proxy for this machine', () => {
    for (const url of ['http://127.0.0.1:9', 'http://localhost:9', 'http://[::1]:9']) {
      assert.equal(proxyFor(url, { proxy: 'http://set:3', environment: { HTTP_PROXY: 'http://env:1' } }), undefined);
    }
  });

  it('uses no proxy when proxy support is off', () => {
    const sources = { proxy: 'http://set:3', environment: { HTTPS_PROXY: 'http://env:1' }, proxySupport: 'off' };
    assert.equal(proxyFor('https://a.example', sources), undefined);
  });

  it('leaves out exceptions of the settings, or of the environment', () => {
    const environment = { HTTPS_PROXY: 'http://env:1', NO_PROXY: 'b.example' };
    assert.equal(proxyFor('https://x.b.example', { environment }), undefined);
    assert.equal(proxyFor('https://x.b.example', { proxy: 'http://set:3', environment }), undefined);
    assert.equal(proxyFor('https://a.example', { proxy: 'http://set:3', noProxy: ['.a.example', 'c.example'] }), undefined);
    assert.equal(proxyFor('https://c.example', { noProxy: ['.a.example', 'c.example'], environment }), undefined);
    // The list from the settings replaces the list from the environment.
    assert.equal(proxyFor('https://b.example', { noProxy: ['c.example'], environment }), 'http://env:1');
  });

  it('passes on certificates, strictness and the proxy’s credentials', () => {
    const options = toNetworkOptions({ ...nothing, strictSsl: false, proxyAuthorization: 'Basic x', certificateAuthorities: ['PEM'] });
    assert.equal(options.strictTls, false);
    assert.equal(options.proxyAuthorization, 'Basic x');
    assert.deepEqual(options.certificateAuthorities, ['PEM']);
    assert.equal(toNetworkOptions(nothing).strictTls, true);
  });
});

const pem = (body: string) => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`;

describe('features/connection/network/certificates', () => {
  let folder: string;
  const warnings: string[] = [];
  const read = (environment: Record<string, string>, useSystem = false) =>
    readCertificateAuthorities({ useSystem, environment, warn: message => warnings.push(message) });

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'managed-agents-certificates-'));
    warnings.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('splits a bundle and ignores other text', () => {
    assert.deepEqual(splitPem(`# one\n${pem('AAA')}\ntext\n${pem('BBB')}\n`), [pem('AAA'), pem('BBB')]);
    assert.deepEqual(splitPem('nothing'), []);
  });

  it("reads NODE_EXTRA_CA_CERTS, each certificate once, without Node's own", async () => {
    const file = path.join(folder, 'extra.pem');
    await writeFile(file, [pem('AAA'), pem('AAA'), tls.rootCertificates[0]].join('\n'));
    assert.deepEqual(await read({ NODE_EXTRA_CA_CERTS: file }), [pem('AAA')]);
  });

  it('warns about an unreadable file, and continues', async () => {
    assert.deepEqual(await read({ NODE_EXTRA_CA_CERTS: path.join(folder, 'none.pem') }), []);
    assert.match(warnings[0] ?? '', /NODE_EXTRA_CA_CERTS.*ENOENT/);
  });

  it("reads the system's certificates only on request", async () => {
    assert.deepEqual(await read({}), []);
    const found = await read({}, true);
    assert.ok(found.every(certificate => certificate.startsWith('-----BEGIN CERTIFICATE-----')));
  });
});
