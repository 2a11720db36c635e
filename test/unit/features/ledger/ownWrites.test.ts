import assert from 'node:assert/strict';
import fs, { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import type { Submission } from '../../../../src/features/ledger/submission';
import type { SubmissionRegistry } from '../../../../src/features/ledger/submissionRegistry';
import { withFaultyDisk } from '../../../helpers/faultyDisk';
import { fieldOf } from '../../../helpers/fieldOf';
import { runs } from '../../../helpers/runs';
import { recordOf, useLedger } from './ledgerOfTest';

const ids = Array.from({ length: 40 }, (_, index) => `11111111-1111-4111-8111-${String(index).padStart(12, '0')}`);
const [id = '', next = ''] = ids;

const submission = (name: string) =>
  recordOf({ id: name, startedAt: new Date().toISOString(), state: 'created', batchId: `msgbatch_${name}` });

describe('features/ledger/ownWrites', () => {
  const ledger = useLedger();
  const registry = () => ledger.open(() => {});

  /** Replaces a record, as another window does after it took over this window's lock. */
  function replace(change: Partial<Submission>): void {
    const file = path.join(ledger.folder, id, 'submission.json');
    const raw = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(`${file}.other`, `${JSON.stringify({ ...raw, ...change }, null, 2)}\n`);
    renameSync(`${file}.other`, file);
  }

  /** Opens two windows that have read the same records. */
  async function twoWindows(
    known: readonly string[] = [id, next],
  ): Promise<readonly [here: SubmissionRegistry, there: SubmissionRegistry]> {
    const [here, there] = [registry(), registry()];
    for (const name of known) {
      await here.save(submission(name));
    }
    await here.load();
    await there.load();
    return [here, there];
  }

  it('rereads none of its own records, and only changed ones of other windows', async () => {
    const [here, there] = await twoWindows(ids);
    const written = ids.slice(0, 10);
    const writing = await readsDuring(async () => {
      for (const name of written) {
        await here.update(name, { isEndSeen: false });
      }
    });
    assert.deepEqual(writing, { readFile: 10 }, 'each write reads the record that it changes');
    assert.deepEqual(await readsDuring(() => here.reload()), { stat: 40 });
    assert.deepEqual(await readsDuring(() => there.reload()), { readFile: 10, stat: 40 });
    assert.deepEqual(await readsDuring(() => there.reload()), { stat: 40 });
    assert.deepEqual(there.all(), here.all());
  });

  it('detects a write of another window right after its own write', async () => {
    const here = registry();
    await here.save(submission(id));
    await here.load();
    await afterRename(
      'submission.json',
      async () => replace({ problem: 'theirs' }),
      () => here.update(id, { isEndSeen: false }),
    );
    assert.equal(here.find(id)?.problem, undefined);
    await here.reload();
    assert.equal(here.find(id)?.problem, 'theirs');
  });

  it('detects a write of another window while its own write failed', async () => {
    const [here, there] = await twoWindows();
    await there.update(id, { problem: 'theirs' });
    await withFaultyDisk('open', 'ENOSPC', '.fenced.tmp', async () => {
      const writing = here.update(id, { isEndSeen: true });
      const reading = here.reload();
      await assert.rejects(writing, { code: 'ENOSPC' });
      await reading;
    });
    assert.deepEqual([here.find(id)?.problem, here.find(id)?.isEndSeen], ['theirs', true]);
  });

  it('notices a record that another window deleted', async () => {
    const [here, there] = await twoWindows();
    await there.update(id, { deleted: true });
    await there.remove([id]);
    await here.reload();
    assert.deepEqual(fieldOf(here.all(), 'id'), [next]);
  });

  it('keeps a copy of a record that another program changed', async () => {
    const [here] = await twoWindows();
    await here.update(id, { problem: 'ours' });
    const file = path.join(ledger.folder, id, 'submission.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('ours', 'edit'));
    await here.reload();
    await here.update(id, { isEndSeen: true });
    assert.ok(fs.existsSync(path.join(ledger.folder, id, 'submission.damaged.json')));
  });

  it('matches the disk in each window, for any order of reads and writes', async () => {
    const windows = await twoWindows();
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const act = async (window: SubmissionRegistry, round: number) => {
      const name = random(2) === 0 ? id : next;
      await (random(3) === 0 ? window.reload() : window.update(name, { problem: `${round}` }));
    };
    for (let round = 0; round < runs(60); round++) {
      await Promise.all(windows.flatMap(window => [act(window, round), act(window, round + 1_000)]));
    }
    const fresh = registry();
    await fresh.load();
    for (const window of windows) {
      await window.reload();
      assert.deepEqual(window.all(), fresh.all());
    }
  });
});

/** Counts the reads of records during `action`, by the name of the `fs` function. */
async function readsDuring(action: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const { readFile, stat } = fs.promises;
  const reads: Record<string, number> = {};
  const counted =
    <Call extends (...args: never[]) => unknown>(name: string, call: Call) =>
    (...args: Parameters<Call>) => {
      if (path.basename(String(args[0])) === 'submission.json') {
        reads[name] = (reads[name] ?? 0) + 1;
      }
      return call(...args);
    };
  Object.assign(fs.promises, { readFile: counted('readFile', readFile), stat: counted('stat', stat) });
  syncBuiltinESMExports();
  try {
    await action();
  } finally {
    Object.assign(fs.promises, { readFile, stat });
    syncBuiltinESMExports();
  }
  return reads;
}

/** Runs `action`. Runs `meanwhile` once, right after the first rename of a file to `name`. */
async function afterRename(name: string, meanwhile: () => Promise<void>, action: () => Promise<unknown>): Promise<void> {
  const { rename } = fs.promises;
  let isDone = false;
  fs.promises.rename = async (from, to) => {
    await rename(from, to);
    if (!isDone && path.basename(String(to)) === name) {
      isDone = true;
      await meanwhile();
    }
  };
  syncBuiltinESMExports();
  try {
    await action();
  } finally {
    fs.promises.rename = rename;
    syncBuiltinESMExports();
  }
  assert.ok(isDone);
}
