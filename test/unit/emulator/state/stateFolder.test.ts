import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStateFolder } from '../../../../src/emulator/state/stateFolder';

describe('emulator/state/stateFolder', () => {
  let wanted: string;
  let holder: http.Server;
  let port: number;

  beforeEach(async () => {
    wanted = await mkdtemp(path.join(tmpdir(), 'state-folder-'));
    holder = http.createServer((request, response) => response.writeHead(request.url === '/_emulator/lock/mine' ? 204 : 404).end());
    holder.listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  });

  afterEach(async () => {
    holder.close();
    await rm(wanted, { recursive: true });
  });

  it('makes a temporary folder and removes it when none is wanted', async () => {
    const folder = await openStateFolder(undefined, { port, token: 'mine' });
    assert.ok(existsSync(folder.path));
    await folder.release();
    assert.ok(!existsSync(folder.path));
  });

  it('gives a second emulator a folder of its own and says so', async () => {
    const first = await openStateFolder(wanted, { port, token: 'mine' });
    assert.equal(first.path, wanted);
    const second = await openStateFolder(wanted, { port: 1, token: 'other' });
    assert.notEqual(second.path, wanted);
    assert.match(second.notice ?? '', /Another emulator uses/);
    await second.release();
    await first.release();
    const third = await openStateFolder(wanted, { port: 1, token: 'other' });
    assert.equal(third.path, wanted);
    await third.release();
  });

  it('takes over from one that ends while it is asked, which leaves the new lock alone', async () => {
    const first = await openStateFolder(wanted, { port, token: 'mine' });
    holder.removeAllListeners('request').once('request', request => request.socket.destroy());
    const second = await openStateFolder(wanted, { port, token: 'other' });
    assert.equal(second.path, wanted);
    await first.release();
    assert.deepEqual(JSON.parse(await readFile(path.join(wanted, 'emulator.lock'), 'utf8')), { port, token: 'other' });
    await second.release();
    assert.deepEqual(await readdir(wanted), []);
  });

  it('takes over the lock of an emulator that is gone, of another program on its port, and a broken one', async () => {
    for (const left of [JSON.stringify({ port: 1, token: 'gone' }), JSON.stringify({ port, token: 'not-mine' }), '{"port":']) {
      await writeFile(path.join(wanted, 'emulator.lock'), left);
      const folder = await openStateFolder(wanted, { port, token: 'mine' });
      assert.equal(folder.path, wanted);
      assert.deepEqual(JSON.parse(await readFile(path.join(wanted, 'emulator.lock'), 'utf8')), { port, token: 'mine' });
      await folder.release();
    }
  });
});
