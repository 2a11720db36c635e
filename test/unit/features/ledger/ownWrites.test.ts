import assert from 'node:assert/strict';
import fs, { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { ChangeLog, changedName } from '../../../../src/features/ledger/reading/changeLog';
import type { Submission } from '../../../../src/features/ledger/submission';
import type { SubmissionRegistry } from '../../../../src/features/ledger/submissionRegistry';
import { withFaultyDisk } from '../../../helpers/faultyDisk';
import { runs } from '../../../helpers/runs';
import { recordOf, useLedger } from './ledgerOfTest';
import { fieldOf } from '../../../helpers/fieldOf';

const ids = Array.from({ length: 40 }, (_, index) => `11111111-1111-4111-8111-${String(index).padStart(12, '0')}`);
const [id = '', next = ''] = ids;

const submission = (name: string) =>
  recordOf({ id: name, startedAt: new Date().toISOString(), state: 'created', batchId: `msgbatch_${name}` });

describe('features/ledger/ownWrites', () => {
  const ledger = useLedger();
  const registry = () => ledger.open(() => {});

  /** Replaces a record, as a window does that took over the lock of this one. */
  function replace(change: Partial<Submission>): void {
    const file = path.join(ledger.folder, id, 'submission.json');
    const raw = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(`${file}.other`, `${JSON.stringify({ ...raw, ...change }, null, 2)}\n`);
    renameSync(`${file}.other`, file);
  }

  /** Two windows that know the same. */
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

  it('looks at nothing that it wrote itself, and elsewhere only at what was written', async () => {
    const [here, there] = await twoWindows(ids);
    const written = ids.slice(0, 10);
    const writing = await looksDuring(async () => {
      for (const name of written) {
        await here.update(name, { isEndSeen: false });
      }
    });
    assert.deepEqual(writing, { readFile: 10 }, 'each write goes upon what stands there, and looks no more');
    assert.deepEqual(await looksDuring(() => here.catchUp()), {});
    assert.deepEqual(await looksDuring(() => there.catchUp()), { readFile: 10, stat: 10 });
    assert.deepEqual(await looksDuring(() => there.catchUp()), {});
    assert.deepEqual(there.all(), here.all());
    assert.deepEqual(await looksDuring(() => here.reload()), { stat: 40 }, 'a slow look is one at everything');
  });

  it('sees what another window wrote right after a write of this one, before this one looked', async () => {
    for (const look of ['reload', 'catchUp'] as const) {
      const kept = registry();
      await kept.save(submission(id));
      await kept.load();
      const passBy = async () => {
        replace({ problem: look });
        await new ChangeLog(ledger.folder).tell(id);
      };
      await afterRename('submission.json', passBy, () => kept.update(id, { isEndSeen: false }));
      assert.notEqual(kept.find(id)?.problem, look, 'it knows what it wrote');
      await kept[look]();
      assert.equal(kept.find(id)?.problem, look);
    }
  });

  it('sees what another window wrote while a write of this one came to nothing', async () => {
    const [here, there] = await twoWindows();
    await there.update(id, { problem: 'theirs' });
    await withFaultyDisk('open', 'ENOSPC', '.fenced.tmp', async () => {
      const writing = here.update(id, { isEndSeen: true });
      const looking = here.catchUp();
      await assert.rejects(writing, { code: 'ENOSPC' });
      await looking;
    });
    assert.deepEqual([here.find(id)?.problem, here.find(id)?.isEndSeen], ['theirs', true]);
  });

  it('sees that another window removed one', async () => {
    const [here, there] = await twoWindows();
    await there.update(id, { deleted: true });
    await there.remove([id]);
    await here.catchUp();
    assert.deepEqual(fieldOf(here.all(), 'id'), [next]);
  });

  it('sees everything that an older version writes, which tells no more than that it wrote', async () => {
    const [here, there] = await twoWindows();
    for (const problem of ['first', 'second', 'third']) {
      replace({ problem });
      writeFileSync(path.join(ledger.folder, changedName), '4711');
      await here.catchUp();
      assert.equal(here.find(id)?.problem, problem);
      // In between, a window of this version records another change.
      await there.update(next, { problem });
      await here.catchUp();
      assert.equal(here.find(next)?.problem, problem);
    }
    await there.catchUp();
    await there.update(next, { problem: 'fourth' });
    await here.catchUp();
    await there.update(next, { problem: 'last' });
    assert.deepEqual(await looksDuring(() => here.catchUp()), { readFile: 1, stat: 1 }, 'the older one has gone');
  });

  it('sees a record that was torn or changed by a stranger when it looks at everything', async () => {
    const [here] = await twoWindows();
    await here.update(id, { problem: 'ours' });
    const file = path.join(ledger.folder, id, 'submission.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('ours', 'edit'));
    await here.catchUp();
    assert.equal(here.find(id)?.problem, 'ours', 'nobody told of it');
    await here.reload();
    await here.update(id, { isEndSeen: true });
    assert.ok(fs.existsSync(path.join(ledger.folder, id, 'submission.damaged.json')));
  });

  it('knows in each window what stands on the disk, however their writes and looks come', async () => {
    const windows = await twoWindows();
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const act = async (window: SubmissionRegistry, round: number) => {
      const name = random(2) === 0 ? id : next;
      await (random(3) === 0 ? window.catchUp() : window.update(name, { problem: `${round}` }));
    };
    for (let round = 0; round < runs(60); round++) {
      await Promise.all(windows.flatMap(window => [act(window, round), act(window, round + 1_000)]));
      if (random(10) === 0) {
        // As when a new file was started because the old one was long.
        writeFileSync(path.join(ledger.folder, changedName), `begun ${round}\n`);
      }
    }
    const fresh = registry();
    await fresh.load();
    for (const window of windows) {
      await window.catchUp();
      assert.deepEqual(window.all(), fresh.all());
    }
  });

  it('begins what windows tell each other anew before it is long, and misses nothing by that', async () => {
    const [here, there] = await twoWindows();
    const log = new ChangeLog(ledger.folder);
    const lengths: number[] = [];
    for (let told = 0; told < 1_000; told++) {
      await log.tell(next);
      lengths.push(fs.statSync(path.join(ledger.folder, changedName)).size);
      if (told === 600) {
        await there.update(id, { problem: 'theirs' });
      }
    }
    assert.ok(Math.max(...lengths) < 33_000 && lengths.filter(length => length < 100).length > 1, `${Math.max(...lengths)}`);
    await here.catchUp();
    assert.equal(here.find(id)?.problem, 'theirs');
  });
});

/** Counts the reads of records during `action`, by the name of the call. */
async function looksDuring(action: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const { readFile, stat } = fs.promises;
  const looks: Record<string, number> = {};
  const counted =
    <Call extends (...args: never[]) => unknown>(name: string, call: Call) =>
    (...args: Parameters<Call>) => {
      if (path.basename(String(args[0])) === 'submission.json') {
        looks[name] = (looks[name] ?? 0) + 1;
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
  return looks;
}

/** Runs `meanwhile` once, right after a file was renamed to its final name while `action` runs. */
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
