import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Submission } from '../../../../src/features/ledger/submission';
import { ids, recordOf, useLedger } from './ledgerOfTest';

const day = 24 * 60 * 60 * 1000;
const [one, two, three] = ids;

const submission = (id: string, change: Partial<Submission> = {}) =>
  recordOf({ id, startedAt: new Date(Date.now() - 31 * day).toISOString(), ...change });

describe('features/ledger/forgetting', () => {
  const ledger = useLedger();

  async function left(...submissions: readonly Submission[]): Promise<readonly string[]> {
    const registry = await ledger.loaded();
    for (const one of submissions) {
      await registry.save(one);
    }
    return (await ledger.loaded()).all().map(({ id }) => id);
  }

  it('forgets failed and abandoned submissions after thirty days', async () => {
    assert.deepEqual(await left(submission(one), submission(two, { state: 'abandoned' })), []);
    assert.deepEqual(await left(submission(one, { startedAt: new Date(Date.now() - 29 * day).toISOString() })), [one]);
  });

  it('counts the thirty days from the last step', async () => {
    const registry = await ledger.loaded();
    await registry.save(submission(one, { state: 'unknown' }));
    await registry.update(one, { state: 'abandoned' });
    assert.deepEqual(
      (await ledger.loaded()).all().map(({ id }) => id),
      [one],
    );
  });

  it('keeps submissions with a batch, with an unknown outcome, or with files', async () => {
    const unforgettable: readonly Partial<Submission>[] = [
      { state: 'created', batchId: 'b' },
      { state: 'unknown' },
      { batchId: 'b' },
      { made: [{ source: 'file:///b.jsonl', sha256: '', purpose: 'retry', madeAt: '' }] },
    ];
    for (const change of unforgettable) {
      assert.deepEqual(await left(submission(one, change)), [one], JSON.stringify(change));
      rmSync(path.join(ledger.folder, one), { recursive: true });
    }
  });

  it('keeps the failed parts of a group if another part has a batch', async () => {
    const part = (index: number) => ({ group: { id: 'g', index, count: 3 } });
    const parts = [submission(one, part(0)), submission(two, { ...part(1), state: 'created', batchId: 'b' }), submission(three, part(2))];
    assert.equal((await left(...parts)).length, 3);
    await assert.rejects((await ledger.loaded()).forget(one), /its group has a batch/);
    rmSync(path.join(ledger.folder, two), { recursive: true });
    assert.deepEqual((await ledger.loaded()).all(), []);
  });

  it('forgets a submission without a batch on request, also in another window, and no other', async () => {
    const [here, there] = [await ledger.loaded(), await ledger.loaded()];
    await here.save(submission(one, { state: 'unknown', startedAt: new Date().toISOString() }));
    await here.save(submission(two, { state: 'created', batchId: 'b' }));
    await there.reload();
    const gone: string[] = [];
    there.onDidChange(({ id }) => gone.push(id));
    await here.forget(one);
    await assert.rejects(here.forget(two), /has a batch/);
    await there.reload();
    assert.deepEqual(gone, [one]);
    assert.deepEqual([existsSync(path.join(ledger.folder, one)), existsSync(path.join(ledger.folder, two))], [false, true]);
  });

  it('deletes a run on request, whatever it contains, but not while a part is in progress', async () => {
    const [here, there] = [await ledger.loaded(), await ledger.loaded()];
    const batch = { id: 'b', type: 'message_batch', request_counts: { processing: 0, succeeded: 1, errored: 0, canceled: 0, expired: 0 } };
    const ended = { state: 'created', batchId: 'b', batch: { ...batch, processing_status: 'ended' } } as const;
    await here.save(submission(one, { ...ended, batch: { ...batch, processing_status: 'in_progress' } }));
    await here.save(submission(two, ended));
    await assert.rejects(there.remove([two, one]), /is being sent/);
    assert.deepEqual([existsSync(path.join(ledger.folder, one)), existsSync(path.join(ledger.folder, two))], [true, true]);
    await here.update(one, ended);
    await there.remove([two, one]);
    await here.reload();
    assert.deepEqual(here.all(), []);
    assert.deepEqual([existsSync(path.join(ledger.folder, one)), existsSync(path.join(ledger.folder, two))], [false, false]);
    await there.remove([one]);
  });

  it('treats the submission of a window that died before the end of the body as failed, and ignores a late sender', async () => {
    const registry = await ledger.loaded();
    const begun = await registry.begin(
      submission(one, { state: 'sending', handedOut: false, startedAt: new Date().toISOString() }),
      () => undefined,
    );
    assert.ok('release' in begun);
    const file = path.join(ledger.folder, one, 'submission.json');
    const asleep = readFileSync(file, 'utf8');
    // Without a heartbeat, another window considers the holder of the lock dead.
    const hold = path.join(ledger.folder, one, 'sending.lock');
    writeFileSync(hold, readFileSync(hold, 'utf8').replace(/"pid":\d+/, '"pid":99999999'));
    const other = await ledger.loaded();
    assert.equal(other.find(one)?.state, 'failed');
    const onlyIf = ({ state }: Submission) => state === 'sending';
    await assert.rejects(registry.update(one, { handedOut: true }, { onlyIf }), { name: 'SubmissionMovedOnError' });
    writeFileSync(file, asleep.replace('"handedOut": false', '"handedOut": true').trimEnd());
    const third = await ledger.loaded();
    assert.equal(third.find(one)?.state, 'unknown');
    await begun.release();
  });
});
