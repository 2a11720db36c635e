import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as tls from 'node:tls';
import { readCertificateAuthorities, splitPem } from '../../../../../src/features/connection/network/certificates';

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
