import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { claimNotification } from '../../../../../src/features/sessions/notifying/sessionNews';

const reference = { connection: 'A', sessionId: 's' };

describe('features/sessions/notifying/notificationClaims', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'told-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('gives a notification to one of several windows', async () => {
    const told = path.join(folder, 'told');
    const given = await Promise.all(Array.from({ length: 4 }, () => claimNotification(told, reference, 'e1')));
    assert.equal(given.filter(Boolean).length, 1);
    assert.equal(await claimNotification(told, reference, 'e2'), true);
    assert.equal(await claimNotification(told, { ...reference, connection: 'B' }, 'e2'), true);
  });

  it("forgets claims after a week, and lets a window that can't write notify", async () => {
    await claimNotification(folder, reference, 'e1');
    const [name = ''] = await readdir(folder);
    const old = new Date(Date.now() - 8 * 24 * 3_600_000);
    await utimes(path.join(folder, name), old, old);
    assert.equal(await claimNotification(folder, reference, 'e1'), true);
    assert.equal(await claimNotification(path.join(folder, name), reference, 'e3'), true);
  });
});
