import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FolderRegistry } from '../../../../src/features/ledger/folderRegistry';
import type { Submission } from '../../../../src/features/ledger/submission';
import type { SubmissionRegistry } from '../../../../src/features/ledger/submissionRegistry';
import { withFaultyDisk } from '../../../helpers/faultyDisk';

const [paid, next] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;
const codes = ['ESTALE', 'EIO', 'EACCES', 'EBUSY', 'ETIMEDOUT', 'EPERM', 'EMFILE'] as const;
const threeDaysAgo = new Date(Date.now() - 3 * 24 * 3_600_000);

function submission(id: string, change: Partial<Submission> = {}): Submission {
  return {
    ...{ id, connection: 'Lab', origin: 'http://127.0.0.1:4010', source: 'file:///home/ada/requests.jsonl' },
    ...{ fileBytes: 1, sha256: 'ab', requestCount: 1, bodyBytes: 1, startedAt: threeDaysAgo.toISOString() },
    ...{ state: 'created', batchId: 'msgbatch_1' },
    ...change,
  };
}

describe('features/ledger on a disk that fails', () => {
  let folder: string;
  let warnings: string[];
  const open: SubmissionRegistry[] = [];

  function registry(): SubmissionRegistry {
    const made = new FolderRegistry({ folder, log: { warn: message => warnings.push(message) } });
    open.push(made);
    return made;
  }

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'faulty-'));
    warnings = [];
    const first = registry();
    await first.save(submission(paid));
    writeFileSync(path.join(folder, paid, 'results.jsonl'), '{"custom_id":"a"}\n');
    utimesSync(path.join(folder, paid), threeDaysAgo, threeDaysAgo);
  });

  afterEach(() => {
    for (const made of open.splice(0)) {
      made.dispose();
    }
    rmSync(folder, { recursive: true, force: true });
  });

  for (const call of ['stat', 'readFile'] as const) {
    it(`takes no failed ${call} for the absence of a record: it stays, is told, and nothing like it can begin`, async () => {
      for (const code of codes) {
        const kept = registry();
        await kept.load();
        const fresh = registry();
        warnings = [];
        await withFaultyDisk(call, code, 'submission.json', async () => {
          await kept.reload();
          await fresh.load();
          await fresh.reload();
          assert.equal(kept.find(paid)?.batchId, 'msgbatch_1', code);
          const begun = fresh.begin(submission(next, { state: 'sending' }), () => undefined);
          await assert.rejects(begun, /cannot be read .*Nothing was sent/, code);
          assert.equal(existsSync(path.join(folder, next, 'submission.json')), false);
        });
        assert.ok(existsSync(path.join(folder, paid, 'results.jsonl')), code);
        assert.ok(
          warnings.some(text => text.includes(code)),
          `${code}: ${warnings}`,
        );
        await fresh.reload();
        assert.equal(fresh.find(paid)?.batchId, 'msgbatch_1', code);
      }
    });
  }

  it('writes nothing in the place of a record that cannot be read', async () => {
    const kept = registry();
    await kept.load();
    const before = readFileSync(path.join(folder, paid, 'submission.json'), 'utf8');
    await withFaultyDisk('readFile', 'EIO', 'submission.json', () => assert.rejects(kept.update(paid, { deleted: true }), { code: 'EIO' }));
    assert.equal(readFileSync(path.join(folder, paid, 'submission.json'), 'utf8'), before);
    assert.deepEqual(readdirSync(path.join(folder, paid)).sort(), ['results.jsonl', 'submission.json']);
  });

  it('removes no folder with lines, results or the plan of a group, though its record is gone', async () => {
    for (const name of ['lines.tsv', 'results.jsonl', 'results.index', 'group.json', 'merged.index', 'submission.damaged.json']) {
      const orphan = path.join(folder, next);
      mkdirSync(orphan);
      writeFileSync(path.join(orphan, name), 'x');
      writeFileSync(path.join(orphan, 'source.jsonl'), 'x');
      utimesSync(orphan, threeDaysAgo, threeDaysAgo);
      await registry().load();
      assert.deepEqual(readdirSync(orphan).sort(), [name, 'source.jsonl'].sort());
      rmSync(orphan, { recursive: true });
    }
  });

  it('takes no send for failed that it could not write down as failed, and lets nothing like it begin', async () => {
    const sending = submission(next, { state: 'sending', handedOut: false, batchId: undefined });
    await registry().save(sending);
    const third = submission('33333333-3333-4333-8333-333333333333', { state: 'sending' });
    const fresh = registry();
    for (const call of ['mkdir', 'readdir'] as const) {
      await withFaultyDisk(call, 'EIO', next, async () => {
        await fresh.reload();
        await assert.rejects(
          fresh.begin(third, () => undefined),
          /cannot be read .*Nothing was sent/,
        );
      });
    }
    // Its window continued writing meanwhile.
    const other = registry();
    await withFaultyDisk('mkdir', 'EIO', next, () => other.load());
    const file = path.join(folder, next, 'submission.json');
    const { state, handedOut, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual([state, handedOut], ['sending', false]);
    writeFileSync(file, JSON.stringify({ ...rest, state: 'unknown', handedOut: true }));
    for (const window of [fresh, other]) {
      await window.reload();
      assert.equal(window.find(next)?.state, 'unknown');
    }
  });

  it('notices a bit that flipped in a record', async () => {
    const file = path.join(folder, paid, 'submission.json');
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
