import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStateFolder } from '../../../../src/emulator/state/stateFolder';
import { runs } from '../../../helpers/runs';

const isLock = (name: string) => name.startsWith('emulator.lock');

describe('emulator/state/stateFolder', () => {
  let wanted: string;
  let holder: http.Server;
  let isThere: (token: string) => boolean;
  let port: number;

  beforeEach(async () => {
    wanted = await mkdtemp(path.join(tmpdir(), 'state-folder-'));
    isThere = token => token === 'mine';
    holder = http.createServer((request, response) => {
      const isHeld = isThere(request.url?.replace('/_emulator/lock/', '') ?? '');
      const body = isHeld ? '{"key":"k"}' : '';
      response.writeHead(isHeld ? 200 : 404, { 'content-length': body.length }).end(body);
    });
    holder.listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  });

  afterEach(async () => {
    holder.close();
    await rm(wanted, { recursive: true });
  });

  it('creates a temporary folder and deletes it if none is given', async () => {
    const folder = await openStateFolder(undefined, { port, token: 'mine' });
    assert.ok(existsSync(folder.path));
    await folder.release();
    assert.ok(!existsSync(folder.path));
  });

  it('tells a second emulator the address of the first', async () => {
    const first = await openStateFolder(wanted, { port, token: 'mine' });
    assert.equal(first.path, wanted);
    await assert.rejects(openStateFolder(wanted, { port: 1, token: 'other' }), {
      holder: { url: `http://127.0.0.1:${port}`, key: 'k' },
      message: `Another emulator uses ${wanted} and answers at http://127.0.0.1:${port}.`,
    });
    await first.release();
    const third = await openStateFolder(wanted, { port: 1, token: 'other' });
    assert.equal(third.path, wanted);
    await third.release();
  });

  it('takes over from a crashed one', async () => {
    await openStateFolder(wanted, { port, token: 'mine' });
    isThere = token => token === 'other';
    const second = await openStateFolder(wanted, { port, token: 'other' });
    assert.equal(second.path, wanted);
    assert.deepEqual((await readdir(wanted)).filter(isLock), ['emulator.lock.2']);
    await assert.rejects(openStateFolder(wanted, { port, token: 'third' }), { name: 'StateFolderInUse' });
    await second.release();
    await (await openStateFolder(wanted, { port, token: 'fourth' })).release();
  });

  it('belongs to one of many that find a dead lock at once, however often', async () => {
    const held = new Set<string>();
    isThere = token => held.has(token);
    for (let round = 0; round < runs(200, 40); round++) {
      const asked = await Promise.allSettled(
        Array.from({ length: 4 }, async (_, at) => {
          const token = `${round}-${at}`;
          // An emulator's server listens before the emulator opens the folder.
          held.add(token);
          return await openStateFolder(wanted, { port, token });
        }),
      );
      const taken = asked.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
      const refused = asked.flatMap(one => (one.status === 'rejected' ? [one.reason.name] : []));
      assert.deepEqual([taken.length, refused], [1, Array(3).fill('StateFolderInUse')]);
      held.clear();
      // In every second round, the holder crashes instead of releasing the lock.
      await (round % 2 === 0 ? taken[0]?.release() : undefined);
    }
  });

  it("takes over the lock of a dead emulator, of another program on its port, a damaged one, and an older version's", async () => {
    const lefts = [JSON.stringify({ port: 1, token: 'gone' }), JSON.stringify({ port, token: 'not-mine' }), '{"port":'];
    for (const [at, left] of lefts.entries()) {
      await writeFile(path.join(wanted, at === 0 ? 'emulator.lock' : `emulator.lock.${at * 10}`), left);
      const folder = await openStateFolder(wanted, { port, token: 'mine' });
      assert.deepEqual((await readdir(wanted)).filter(isLock), [`emulator.lock.${at * 10 + 1}`]);
      assert.deepEqual(JSON.parse(await readFile(path.join(wanted, `emulator.lock.${at * 10 + 1}`), 'utf8')), { port, token: 'mine' });
      await folder.release();
    }
  });
});
