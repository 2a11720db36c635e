import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Submission } from '../../../../src/features/ledger/submission';
import { withFaultyDisk } from '../../../helpers/faultyDisk';
import { ids, recordOf, useLedger } from './ledgerOfTest';

const [paid, next] = ids;
const codes = ['ESTALE', 'EIO', 'EACCES', 'EBUSY', 'ETIMEDOUT', 'EPERM', 'EMFILE'] as const;
const threeDaysAgo = new Date(Date.now() - 3 * 24 * 3_600_000);

const submission = (id: string, change: Partial<Submission> = {}) =>
  recordOf({ id, startedAt: threeDaysAgo.toISOString(), state: 'created', batchId: 'msgbatch_1', ...change });

describe('features/ledger on a failing disk', () => {
  const ledger = useLedger();
  let warnings: string[];
  const registry = () => ledger.open(message => warnings.push(message));

  beforeEach(async () => {
    warnings = [];
    const first = registry();
    await first.save(submission(paid));
    writeFileSync(path.join(ledger.folder, paid, 'results.jsonl'), '{"custom_id":"a"}\n');
    utimesSync(path.join(ledger.folder, paid), threeDaysAgo, threeDaysAgo);
  });

  for (const call of ['stat', 'readFile'] as const) {
    it(`doesn't treat a failed ${call} as a missing record: it stays, is reported, and blocks conflicting submissions`, async () => {
      for (const code of codes) {
        const loaded = registry();
        await loaded.load();
        const fresh = registry();
        warnings = [];
        await withFaultyDisk(call, code, 'submission.json', async () => {
          await loaded.reload();
          await fresh.load();
          await fresh.reload();
          assert.equal(loaded.find(paid)?.batchId, 'msgbatch_1', code);
          const begun = fresh.begin(submission(next, { state: 'sending' }), () => undefined);
          await assert.rejects(begun, /can't be read .*Nothing was sent/, code);
          assert.equal(existsSync(path.join(ledger.folder, next, 'submission.json')), false);
        });
        assert.ok(existsSync(path.join(ledger.folder, paid, 'results.jsonl')), code);
        assert.ok(
          warnings.some(text => text.includes(code)),
          `${code}: ${warnings}`,
        );
        await fresh.reload();
        assert.equal(fresh.find(paid)?.batchId, 'msgbatch_1', code);
      }
    });
  }

  it("doesn't overwrite an unreadable record", async () => {
    const loaded = registry();
    await loaded.load();
    const before = readFileSync(path.join(ledger.folder, paid, 'submission.json'), 'utf8');
    await withFaultyDisk('readFile', 'EIO', 'submission.json', () =>
      assert.rejects(loaded.update(paid, { deleted: true }), { code: 'EIO' }),
    );
    assert.equal(readFileSync(path.join(ledger.folder, paid, 'submission.json'), 'utf8'), before);
    assert.deepEqual(readdirSync(path.join(ledger.folder, paid)).sort(), ['results.jsonl', 'submission.json']);
  });

  it("deletes no folder with lines, results or a group's plan, even without its record", async () => {
    for (const name of ['lines.tsv', 'results.jsonl', 'results.index', 'group.json', 'merged.index', 'submission.damaged.json']) {
      const orphan = path.join(ledger.folder, next);
      mkdirSync(orphan);
      writeFileSync(path.join(orphan, name), 'x');
      writeFileSync(path.join(orphan, 'source.jsonl'), 'x');
      utimesSync(orphan, threeDaysAgo, threeDaysAgo);
      await registry().load();
      assert.deepEqual(readdirSync(orphan).sort(), [name, 'source.jsonl'].sort());
      rmSync(orphan, { recursive: true });
    }
  });

  it("doesn't fail a submission whose failure it couldn't record, and blocks conflicting ones", async () => {
    const sending = submission(next, { state: 'sending', handedOut: false, batchId: undefined });
    await registry().save(sending);
    const third = submission('33333333-3333-4333-8333-333333333333', { state: 'sending' });
    const fresh = registry();
    for (const call of ['mkdir', 'readdir'] as const) {
      await withFaultyDisk(call, 'EIO', next, async () => {
        await fresh.reload();
        await assert.rejects(
          fresh.begin(third, () => undefined),
          /can't be read .*Nothing was sent/,
        );
      });
    }
    // While both windows fail to read the record `next`, the window that sends `next` continues to write.
    const other = registry();
    await withFaultyDisk('mkdir', 'EIO', next, () => other.load());
    const file = path.join(ledger.folder, next, 'submission.json');
    const { state, handedOut, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual([state, handedOut], ['sending', false]);
    writeFileSync(file, JSON.stringify({ ...rest, state: 'unknown', handedOut: true }));
    for (const window of [fresh, other]) {
      await window.reload();
      assert.equal(window.find(next)?.state, 'unknown');
    }
  });

  it('detects a flipped bit in a record', async () => {
    const file = path.join(ledger.folder, paid, 'submission.json');
    const whole = readFileSync(file);
    for (const text of ['msgbatch_1', '"bodyBytes": 1', 'created']) {
      const flipped = Buffer.from(whole);
      const place = whole.indexOf(text) + text.length - 1;
      flipped[place] = (flipped[place] ?? 0) ^ 2;
      writeFileSync(file, flipped);
      warnings = [];
      await registry().load();
      assert.match(warnings[0] ?? '', /was changed since it was written/, text);
    }
    writeFileSync(file, whole.toString().trimEnd());
    warnings = [];
    await registry().load();
    assert.deepEqual(warnings, [], 'an older version writes no checksum');
  });
});
