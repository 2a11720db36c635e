import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { claimNotifications } from '../../../../../src/features/sessions/notifying/sessionNews';

const reference = { connection: 'A', sessionId: 's' };

describe('features/sessions/notifying/sessionNews: claimNotifications', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'told-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('gives each notification to one of several windows', async () => {
    const told = path.join(folder, 'told');
    const given = await Promise.all(Array.from({ length: 4 }, () => claimNotifications(told, reference, ['e1', 'e2'])));
    assert.deepEqual(given.flat().sort(), ['e1', 'e2']);
    assert.deepEqual(await claimNotifications(told, reference, ['e3', 'e1', 'e4']), ['e3', 'e4']);
    assert.deepEqual(await claimNotifications(told, { ...reference, connection: 'B' }, ['e2']), ['e2']);
  });

  it("forgets claims after a week, and lets a window that can't write notify", async () => {
    await claimNotifications(folder, reference, ['e1']);
    const [name = ''] = await readdir(folder);
    const old = new Date(Date.now() - 8 * 24 * 3_600_000);
    await utimes(path.join(folder, name), old, old);
    assert.deepEqual(await claimNotifications(folder, reference, ['e1']), ['e1']);
    assert.deepEqual(await claimNotifications(path.join(folder, name), reference, ['e3', 'e4']), ['e3', 'e4']);
  });
});
