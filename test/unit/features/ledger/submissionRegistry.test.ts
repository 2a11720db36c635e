import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../../../src/common/clock';
import type { Submission } from '../../../../src/features/ledger/submission';
import { withFaultyDisk } from '../../../helpers/faultyDisk';
import { fieldOf } from '../../../helpers/fieldOf';
import { someOf } from '../../../helpers/runs';
import { until } from '../../../helpers/until';
import { ids, recordOf, useLedger } from './ledgerOfTest';
import { useRegistryProcesses } from './registryProcesses';

const submission = (id: string, change: Partial<Submission> = {}) => recordOf({ id, ...change });

function testClock() {
  const clock = { time: 0, now: () => Date.now() + clock.time, monotonic: () => clock.time };
  return clock;
}

/** Replaces a folder with a changed copy. */
function copyInPlace(root: string, change: (root: string) => void): void {
  change(root);
  const before = `${root}-before`;
  renameSync(root, before);
  cpSync(before, root, { recursive: true });
  rmSync(before, { recursive: true });
}

describe('features/ledger/submissionRegistry', () => {
  const ledger = useLedger();
  let warnings: string[];

  const registry = (clock?: Clock) => ledger.open(message => warnings.push(message), clock);
  const loaded = (clock?: Clock) => ledger.loaded(message => warnings.push(message), clock);

  beforeEach(() => {
    warnings = [];
  });

  it('stores the models of a submission, and treats missing or invalid ones as unknown', async () => {
    const first = registry();
    await first.save(submission(ids[0], { models: [['vendor-sonnet-5', 3]] }));
    await first.save(submission(ids[1]));
    await first.save(submission(ids[2], { models: [['vendor-sonnet-5', '3']] as never }));
    const second = await loaded();
    assert.deepEqual(second.find(ids[0])?.models, [['vendor-sonnet-5', 3]]);
    assert.deepEqual([second.find(ids[1])?.models, second.find(ids[2])?.models], [undefined, undefined]);
    assert.deepEqual(warnings, []);
  });

  it('keeps submissions across a restart, newest first, and finds them by ID, batch and source', async () => {
    const first = registry();
    await first.save(submission(ids[0], { batchId: 'msgbatch_1', state: 'created' }));
    await first.save(submission(ids[1], { startedAt: new Date().toISOString(), source: 'file:///other.jsonl' }));
    const second = await loaded();
    assert.deepEqual(fieldOf(second.all(), 'id'), [ids[1], ids[0]]);
    assert.equal(second.findByBatch('Lab', 'msgbatch_1')?.id, ids[0]);
    assert.equal(second.findByBatch('Other', 'msgbatch_1'), undefined);
    assert.deepEqual(fieldOf(second.findBySource('file:///other.jsonl'), 'id'), [ids[1]]);
    assert.deepEqual(second.find(ids[0]), first.find(ids[0]));
    assert.deepEqual(warnings, []);
  });

  it('loads on first use and fires for each submission found', async () => {
    await registry().save(submission(ids[0]));
    const second = registry();
    const found = new Promise<Submission>(resolve => second.onDidChange(resolve));
    assert.deepEqual([second.all(), second.find(ids[0]), second.findBySource(submission(ids[0]).source)], [[], undefined, []]);
    assert.equal((await found).id, ids[0]);
    assert.equal(second.all().length, 1);
  });

  it('writes files that only the user can read', async () => {
    const kept = registry();
    await kept.save(submission(ids[0]));
    assert.equal(statSync(path.join(kept.folder(ids[0]), 'submission.json')).mode & 0o777, 0o600);
    assert.equal(statSync(kept.folder(ids[0])).mode & 0o777, 0o700);
    assert.deepEqual(readdirSync(kept.folder(ids[0])), ['submission.json']);
  });

  it('keeps the batch that a damaged file names, and treats other damage as an unknown outcome of any file', async () => {
    const whole = JSON.stringify(submission(ids[1], { state: 'created' }), null, 2);
    const created = submission(ids[1], { state: 'created', batchId: 'b', deleted: true });
    const cases: readonly (readonly [content: string, connection: string, state: string])[] = [
      ['{"id": "cut', '', 'unknown'],
      ['[]', '', 'unknown'],
      ['"secret sk-abcdef"', '', 'unknown'],
      ['', '', 'unknown'],
      [JSON.stringify(submission(ids[2], { state: 'failed' })), '', 'unknown'],
      [JSON.stringify({ ...submission(ids[1], { state: 'sending' }), startedAt: 'sk-abcdef' }), '', 'unknown'],
      [JSON.stringify({ ...submission(ids[1], { state: 'abandoned' }), bodyBytes: null }), '', 'unknown'],
      [JSON.stringify({ ...created, bodyBytes: null }), 'Lab', 'created'],
      [whole.slice(0, whole.indexOf('"requestCount')), '', 'unknown'],
      [JSON.stringify(created, null, 2).replace('"connection": "Lab"', '"conn\0\0\0\0'), '', 'created'],
    ];
    for (const [content, ...expected] of cases) {
      mkdirSync(path.join(ledger.folder, ids[1]), { recursive: true });
      writeFileSync(path.join(ledger.folder, ids[1], 'submission.json'), content);
      warnings = [];
      const second = await loaded();
      await second.reload();
      const found = second.find(ids[1]);
      assert.deepEqual([found?.sha256, found?.deleted, found?.connection, found?.state], ['', undefined, ...expected], content);
      assert.equal(warnings.length, 1);
      assert.doesNotMatch(`${warnings[0]} ${found?.problem}`, /sk-abcdef/);
      assert.equal(readFileSync(path.join(ledger.folder, ids[1], 'submission.json'), 'utf8'), content);
    }
  });

  it("reads a newer version's state as possibly having a batch, and keeps it in the file", async () => {
    await registry().save(submission(ids[0], { state: 'paused' as never }));
    await registry().save(submission(ids[1], { state: 'paused' as never, batchId: 'b' }));
    const later = await loaded();
    assert.deepEqual([later.find(ids[0])?.state, later.find(ids[1])?.state], ['unknown', 'created']);
    await later.update(ids[0], { cancelWanted: true });
    assert.match(readFileSync(path.join(ledger.folder, ids[0], 'submission.json'), 'utf8'), /"state": "paused"/);
    assert.deepEqual(warnings, []);
  });

  it('lets the user settle or forget a damaged record, and keeps a copy of it', async () => {
    const file = path.join(ledger.folder, ids[0], 'submission.json');
    for (const id of [ids[0], ids[1]]) {
      await registry().save(submission(id, { state: 'unknown' }));
      writeFileSync(path.join(ledger.folder, id, 'submission.json'), '\0\0');
    }
    const kept = await loaded();
    await kept.update(ids[0], { state: 'abandoned' });
    assert.equal(readFileSync(path.join(ledger.folder, ids[0], 'submission.damaged.json'), 'utf8'), '\0\0');
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).state, 'abandoned');
    await kept.forget(ids[1]);
    const later = await loaded();
    assert.deepEqual(
      later.all().map(({ id, state }) => [id, state]),
      [[ids[0], 'abandoned']],
    );
    assert.equal(warnings.length, 2);
  });

  it('keeps a record that was read before its file was damaged, and writes all of it with the next change', async () => {
    const kept = registry();
    await kept.save(submission(ids[0], { state: 'created', batchId: 'b' }));
    writeFileSync(path.join(ledger.folder, ids[0], 'submission.json'), '{');
    await kept.reload();
    assert.equal(kept.find(ids[0])?.batchId, 'b');
    await kept.update(ids[0], { deleted: true });
    const later = await loaded();
    const { batchId, sha256, deleted } = later.find(ids[0]) ?? assert.fail();
    assert.deepEqual([batchId, sha256, deleted], ['b', submission(ids[0]).sha256, true]);
  });

  it('ignores an optional field of a wrong type, but keeps it and unknown fields in the file', async () => {
    const file = path.join(ledger.folder, ids[0], 'submission.json');
    mkdirSync(path.dirname(file));
    writeFileSync(file, JSON.stringify({ ...submission(ids[0]), batch: 'later', tags: ['x'] }));
    const kept = await loaded();
    assert.equal(kept.find(ids[0])?.batch, undefined);
    await kept.update(ids[0], { deleted: true });
    const written = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual([written.batch, written.tags, written.deleted], ['later', ['x'], true]);
  });

  it('removes a field that is set to undefined', async () => {
    const kept = registry();
    await kept.save(submission(ids[0], { problem: 'gone soon' }));
    await kept.update(ids[0], { problem: undefined });
    const again = await loaded();
    assert.deepEqual(again.find(ids[0]), submission(ids[0]));
  });

  it("fires once for another window's change, and not for a poll without a change", async () => {
    const [one, two] = [registry(), registry()];
    await one.save(submission(ids[0]));
    await two.load();
    const fired: string[] = [];
    two.onDidChange(changed => fired.push(changed.state));
    await two.reload();
    await one.update(ids[0], { state: 'abandoned' });
    await two.reload();
    await two.reload();
    assert.deepEqual(fired, ['abandoned']);
  });

  it('keeps a change that the disk rejected, and writes it with the next one', async () => {
    const kept = registry();
    await kept.save(submission(ids[0], { state: 'sending' }));
    await withFaultyDisk('open', 'ENOSPC', '.tmp', () =>
      assert.rejects(kept.update(ids[0], { state: 'created', batchId: 'msgbatch_9' }), { code: 'ENOSPC' }),
    );
    assert.equal(kept.find(ids[0])?.batchId, 'msgbatch_9');
    await kept.reload();
    assert.equal(kept.find(ids[0])?.batchId, 'msgbatch_9');
    await kept.update(ids[0], { requestId: 'req_9' });
    const again = await loaded();
    const { steps = [], ...found } = again.find(ids[0]) ?? submission(ids[1]);
    assert.deepEqual(found, submission(ids[0], { state: 'created', batchId: 'msgbatch_9', requestId: 'req_9' }));
    assert.deepEqual(fieldOf(steps, 'what'), ['created']);
  });

  it('applies changes that arrive during loading in order', async () => {
    const kept = registry();
    const states: unknown[] = [];
    kept.onDidChange(({ problem }) => states.push(problem));
    await Promise.all([
      kept.save(submission(ids[0])),
      kept.update(ids[0], { problem: 'first' }),
      kept.update(ids[0], { problem: 'second' }),
      kept.load(),
    ]);
    assert.equal(kept.find(ids[0])?.problem, 'second');
    assert.deepEqual(
      states.filter(state => state !== undefined),
      ['first', 'second'],
    );
  });

  it("doesn't fire after it was disposed", async () => {
    const kept = registry();
    kept.onDidChange(() => assert.fail('It fired.'));
    const saved = kept.save(submission(ids[0]));
    kept.dispose();
    await saved;
  });

  it("rejects an ID that isn't a plain folder name", () => {
    assert.throws(() => registry().folder('../outside'));
  });

  it('reads again once for all reloads that are requested during a read', async () => {
    const one = registry(testClock());
    const first = one.reload();
    await registry().save(submission(ids[0]));
    const reading = one.reload();
    // Lets the read start.
    await Promise.resolve();
    const during = one.reload();
    const too = one.reload();
    assert.notEqual(during, reading);
    assert.equal(too, during);
    await Promise.all([first, during]);
    assert.equal(one.find(ids[0])?.id, ids[0]);
  });

  it('settles for a caller during a read, however often others reload', async () => {
    const one = registry();
    let isDone = false;
    const reading = one.reload();
    const during = one.reload().then(() => {
      isDone = true;
    });
    await reading;
    for (let turn = 0; turn < 5 && !isDone; turn++) {
      await one.reload();
    }
    assert.ok(isDone);
    await during;
  });

  it('deletes leftovers of an unfinished submission after a day, and nothing newer or foreign', async () => {
    const old = new Date(Date.now() - 25 * 60 * 60 * 1000);
    for (const name of [ids[0], ids[1], 'notes']) {
      mkdirSync(path.join(ledger.folder, name));
      writeFileSync(path.join(ledger.folder, name, 'source.jsonl'), '{}');
    }
    utimesSync(path.join(ledger.folder, ids[0]), old, old);
    utimesSync(path.join(ledger.folder, 'notes'), old, old);
    await registry().load();
    assert.deepEqual(readdirSync(ledger.folder).sort(), [ids[1], 'notes'].sort());
  });

  it('keeps folders that are in use, however old, until they are released', async () => {
    const sheet = registry();
    const old = new Date(Date.now() - 25 * 60 * 60 * 1000);
    writeFileSync(path.join(await sheet.prepareInUse(ids[0]), 'source.jsonl'), '{}');
    writeFileSync(path.join(await sheet.prepareInUse(ids[1]), 'source.jsonl'), '{}');
    const look = async () => {
      utimesSync(path.join(ledger.folder, ids[0]), old, old);
      await registry().load();
      return readdirSync(ledger.folder).includes(ids[0]);
    };
    assert.equal(await look(), true);
    const hold = await sheet.begin(submission(ids[1], { state: 'sending' }), () => undefined);
    assert.ok('release' in hold && (await hold.isHeld()));
    sheet.letGo(ids[1]);
    assert.equal(await hold.isHeld(), true);
    await hold.release();
    sheet.letGo(ids[0]);
    await until(() => !existsSync(path.join(ledger.folder, ids[0], 'sending.lock')));
    assert.equal(await look(), false);
  });

  it('discards only a submission that was never saved', async () => {
    const kept = registry();
    await kept.prepare(ids[0]);
    await kept.save(submission(ids[1]));
    await kept.discard(ids[0]);
    await kept.discard(ids[1]);
    assert.equal(readdirSync(ledger.folder).includes(ids[0]), false);
    assert.equal(readdirSync(ledger.folder).includes(ids[1]), true);
  });

  describe('sending', () => {
    it("shows this window's submissions as sending until they are released", async () => {
      const kept = registry();
      const hold = await kept.begin(submission(ids[0], { state: 'sending' }), () => undefined);
      assert.ok('release' in hold);
      await kept.reload();
      assert.equal(kept.find(ids[0])?.state, 'sending');
      await hold.release();
      await kept.reload();
      assert.equal(kept.find(ids[0])?.state, 'unknown');
    });

    it('lets one of several windows start conflicting submissions, and returns it to the others', async () => {
      const windows = [registry(), registry(), registry()];
      const begun = await Promise.all(
        windows.map((kept, index) =>
          kept.begin(submission(ids[index] ?? '', { state: 'sending' }), () => kept.all().find(({ id }) => id !== ids[index])),
        ),
      );
      const first = begun.findIndex(result => 'release' in result);
      assert.equal(begun.filter(result => 'release' in result).length, 1);
      for (const result of begun) {
        assert.ok('release' in result || result.conflict.id === ids[first]);
      }
      assert.deepEqual(fieldOf(windows[0]?.all(), 'id'), [ids[first]]);
    });

    it('treats a holder without a heartbeat for 20 seconds as dead, by the monotonic clock', async () => {
      const clock = testClock();
      const kept = registry(clock);
      mkdirSync(path.join(ledger.folder, ids[0]));
      writeFileSync(path.join(ledger.folder, ids[0], 'submission.json'), JSON.stringify(submission(ids[0], { state: 'sending' })));
      const lock = path.join(ledger.folder, ids[0], 'sending.lock');
      // Another process that is alive.
      writeFileSync(lock, String(process.ppid));
      await kept.load();
      clock.time += 15_000;
      await kept.reload();
      assert.equal(kept.find(ids[0])?.state, 'sending');
      utimesSync(lock, 1, 1);
      clock.time += 15_000;
      await kept.reload();
      assert.equal(kept.find(ids[0])?.state, 'sending');
      clock.time += 21_000;
      await kept.reload();
      assert.equal(kept.find(ids[0])?.state, 'unknown');
    });
  });

  it('concludes that nothing was created only for a window that ended on this machine, and not for a copied record', async () => {
    const dead = (text: string) => text.replace(/"pid":\d+/, '"pid":99999999');
    const change = (hold: (text: string) => string) => (root: string) => {
      const file = path.join(root, ids[0], 'sending.lock');
      writeFileSync(file, hold(readFileSync(file, 'utf8')));
    };
    const cases: readonly (readonly [name: string, act: (root: string) => void, state: string])[] = [
      ['a window that ended here', change(dead), 'failed'],
      ['a window of another host', change(text => text.replace(/"place":"/, '$&elsewhere ')), 'unknown'],
      ['a window of an earlier start', change(text => dead(text).replace(/"place":"(\S+) \S+/, '"place":"$1 earlier')), 'unknown'],
      ['a window of an older version', change(() => '99999999'), 'unknown'],
      ['a record without its hold', root => rmSync(path.join(root, ids[0], 'sending.lock')), 'unknown'],
      ['a copy of a window that ended here', root => copyInPlace(root, change(dead)), 'unknown'],
    ];
    for (const [name, act, state] of cases) {
      const sending = registry();
      const begun = await sending.begin(submission(ids[0], { state: 'sending', handedOut: false }), () => undefined);
      assert.ok('release' in begun);
      act(ledger.folder);
      const clock = testClock();
      const kept = await loaded(clock);
      clock.time += 21_000;
      await kept.reload();
      assert.equal(kept.find(ids[0])?.state, state, name);
      await begun.release();
      rmSync(path.join(ledger.folder, ids[0]), { recursive: true });
    }
  });

  describe('across processes', () => {
    const processes = useRegistryProcesses();

    /**
     * Writes in a process that is killed at the given step. Step 0 doesn't kill the process. Returns the number of steps if the process
     * survived. A slower process checks its lock more often, so the last steps may not occur.
     */
    async function write(step: number): Promise<number | undefined> {
      const child = processes.start(ledger.folder, ids[0], 'update', step);
      let steps: number | undefined;
      child.on('message', message => {
        steps = Number(message);
      });
      const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
      const isWhole = step === 0 || (steps ?? step) < step;
      assert.deepEqual([code, signal], isWhole ? [0, null] : [null, 'SIGKILL'], `killed at step ${step}`);
      return steps;
    }

    it('leaves the old or the new state when the process is killed at any step of a write', async () => {
      const seen = new Set<string>();
      await registry().save(submission(ids[0], { problem: 'old' }));
      const steps = (await write(0)) ?? 0;
      assert.ok(steps >= 6, `only ${steps} steps`);
      const each = Array.from({ length: steps }, (_, index) => index + 1);
      for (const step of someOf(each, 5)) {
        rmSync(path.join(ledger.folder, ids[0]), { recursive: true, force: true });
        await registry().save(submission(ids[0], { problem: 'old' }));
        await write(step);
        const after = await loaded();
        assert.deepEqual(warnings, [], `killed at step ${step}`);
        const problem = after.find(ids[0])?.problem ?? 'nothing';
        assert.ok(['old', 'new'].includes(problem), `killed at step ${step}: ${problem}`);
        seen.add(problem);
        // Files of the killed process must not delay the next write.
        assert.equal((await after.update(ids[0], { problem: 'next' })).problem, 'next');
        assert.deepEqual(
          readdirSync(path.join(ledger.folder, ids[0])).filter(name => name.endsWith('.tmp')),
          [],
        );
      }
      assert.deepEqual([...seen].sort(), ['new', 'old']);
    });

    it('distinguishes a live sending window from a killed one', async () => {
      const child = processes.start(ledger.folder, ids[0], 'send', 0);
      await once(child, 'message');
      const here = await loaded();
      assert.equal(here.find(ids[0])?.state, 'sending');
      child.kill('SIGKILL');
      await once(child, 'exit');
      await here.reload();
      assert.equal(here.find(ids[0])?.state, 'unknown');
      assert.match(here.find(ids[0])?.problem ?? '', /window/);
    });
  });
});
