import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { type Fence, fencedName, LockLostError, withFolderLock } from '../../../../src/features/ledger/folderLock';
import { thisHolder } from '../../../../src/features/ledger/lockHolder';
import { submissionFileName, writeSubmissionFile } from '../../../../src/features/ledger/submissionFile';
import { HeldTimers } from '../../../helpers/heldTimers';
import { runs } from '../../../helpers/runs';
import { until } from '../../../helpers/until';
import { useFolder } from '../../../helpers/useFolder';

const dead = JSON.stringify({ ...thisHolder(), pid: 99_999_999 });

describe('features/ledger/folderLock', () => {
  const folder = useFolder();
  let lock: string;

  beforeEach(() => {
    lock = folder('submission.lock');
  });

  /** Writes a dead process to the lock. To waiters, a holder that is suspended for seconds looks dead too. */
  function passBy(): void {
    const [name = ''] = readdirSync(folder()).filter(found => found.startsWith('submission.lock'));
    writeFileSync(folder(name), `${dead}\n`);
  }

  it('grants the lock to one holder after another, even if the time of its file is wrong', async () => {
    const order: string[] = [];
    let second: Promise<void> | undefined;
    /** Delays after which a waiter checks again, in milliseconds. */
    const pauses = [5, 10, 15, 20];
    const timers = new HeldTimers(pauses);
    await withFolderLock(folder(), async () => {
      const dayAgo = new Date(Date.now() - 24 * 3_600_000);
      utimesSync(lock, dayAgo, dayAgo);
      second = withFolderLock(folder(), async () => {
        order.push('second');
      });
      for (const pause of pauses) {
        await until(() => timers.count === 1);
        timers.pass(pause);
      }
      order.push('first');
    }).finally(() => timers.release());
    await second;
    assert.deepEqual(order, ['first', 'second']);
    assert.deepEqual(readdirSync(folder()), []);
  });

  it('breaks the lock of a dead process at once, for one of several waiting windows', async () => {
    for (let round = 0; round < runs(100, 5); round++) {
      writeFileSync(lock, `${dead}\n`);
      let working = 0;
      const work = async (fence: Fence) => {
        assert.equal(++working, 1);
        await new Promise(resolve => setImmediate(resolve));
        await fence.check();
        working--;
      };
      await Promise.all(Array.from({ length: 8 }, () => withFolderLock(folder(), work)));
      rmSync(folder(), { recursive: true });
      mkdirSync(folder());
    }
  });

  it('notifies a holder that lost the lock, which then releases no lock of others', async () => {
    let second: Promise<void> | undefined;
    await withFolderLock(folder(), async fence => {
      assert.equal(await fence.isHeld(), true);
      passBy();
      let finish = () => {};
      await new Promise<void>(taken => {
        second = withFolderLock(folder(), async other => {
          taken();
          await new Promise<void>(resolve => {
            finish = resolve;
          });
          await other.check();
        });
      });
      assert.equal(await fence.isHeld(), false);
      await assert.rejects(fence.check(), LockLostError);
      setImmediate(() => finish());
    });
    await second;
    let third = false;
    await withFolderLock(folder(), async fence => {
      third = await fence.isHeld();
    });
    assert.ok(third);
  });

  it('deletes the temporary files of a holder that lost the lock', async () => {
    const file = folder('record');
    await withFolderLock(folder(), async fence => {
      const temporary = folder(fencedName('record', fence));
      writeFileSync(temporary, 'old');
      await fence.check();
      passBy();
      await withFolderLock(folder(), async () => writeFileSync(file, 'new'));
      assert.throws(() => renameSync(temporary, file), { code: 'ENOENT' });
    });
    assert.equal(readFileSync(file, 'utf8'), 'new');
  });

  it('keeps a holder that lost the lock from replacing a record', async () => {
    await withFolderLock(folder(), async fence => {
      passBy();
      await withFolderLock(folder(), async other => void (await writeSubmissionFile(folder(), { state: 'created' }, other)));
      await assert.rejects(writeSubmissionFile(folder(), { state: 'failed' }, fence), LockLostError);
    });
    assert.match(readFileSync(folder(submissionFileName), 'utf8'), /"created"/);
  });

  it('never gives a late holder an old number again', async () => {
    writeFileSync(lock, `${dead}\n`);
    await withFolderLock(folder(), async () => {});
    assert.equal(existsSync(lock), false);
    assert.deepEqual(readdirSync(folder()), ['submission.lock.3']);
    await withFolderLock(folder(), async () => assert.deepEqual(readdirSync(folder()), ['submission.lock.4']));
    assert.deepEqual(readdirSync(folder()), ['submission.lock.5']);
  });
});
