import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NotificationClaims } from '../../../../../src/features/sessions/notifying/sessionNotifier';

const reference = { connection: 'A', sessionId: 's' };

describe('features/sessions/ends/notificationClaims', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'told-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('gives a thing to one of several windows', async () => {
    const windows = Array.from({ length: 4 }, () => new NotificationClaims(path.join(folder, 'told'), () => Date.now()));
    const given = await Promise.all(windows.map(window => window.claim(reference, 'e1')));
    assert.equal(given.filter(Boolean).length, 1);
    assert.equal(await windows[0]?.claim(reference, 'e2'), true);
    assert.equal(await windows[1]?.claim({ ...reference, connection: 'B' }, 'e2'), true);
  });

  it('forgets what is a week old, and lets a window tell that cannot write', async () => {
    await new NotificationClaims(folder, () => Date.now()).claim(reference, 'e1');
    const [name = ''] = await readdir(folder);
    const old = new Date(Date.now() - 8 * 24 * 3_600_000);
    await utimes(path.join(folder, name), old, old);
    assert.equal(await new NotificationClaims(folder, () => Date.now()).claim(reference, 'e1'), true);
    assert.equal(await new NotificationClaims(path.join(folder, name), () => Date.now()).claim(reference, 'e3'), true);
  });
});
