import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withFolderLock } from '../../../../../src/features/batches/ledger/submissionLock';

describe('src/features/batches/ledger/submissionLock', () => {
  let folder: string;
  let lock: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'lock-'));
    lock = path.join(folder, 'submission.lock');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('lets one after the other work, whatever the time of the lock says by another clock', async () => {
    const order: string[] = [];
    let second: Promise<void> | undefined;
    await withFolderLock(folder, async () => {
      const dayAgo = new Date(Date.now() - 24 * 3_600_000);
      utimesSync(lock, dayAgo, dayAgo);
      second = withFolderLock(folder, async () => {
        order.push('second');
      });
      // Long enough for the second to look several times.
      await new Promise(resolve => setTimeout(resolve, 100));
      order.push('first');
    });
    await second;
    assert.deepEqual(order, ['first', 'second']);
    assert.equal(existsSync(lock), false);
  });

  it('breaks at once the lock of a process that is gone, for one of several that wait', async () => {
    writeFileSync(lock, '99999999');
    let working = 0;
    const work = async () => {
      assert.equal(++working, 1);
      await new Promise(resolve => setImmediate(resolve));
      working--;
    };
    await Promise.all(Array.from({ length: 8 }, () => withFolderLock(folder, work)));
    assert.deepEqual(readdirSync(folder), []);
  });
});
