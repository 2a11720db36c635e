import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { MessageBatch } from '../../../../../src/client/resources/messageBatches';
import { repeatsOf, type Sent } from '../../../../../src/features/batches/submitting/repeatsOf';
import type { Selection, Submission } from '../../../../../src/features/ledger/submission';
import { readSubmissionFile } from '../../../../../src/features/ledger/submissionFile';
import { submission as ledgerSubmission, useLedger } from '../../ledger/ledgerOfTest';

function selection(firstLine: number, lastLine: number, digest: string, purpose: Selection['purpose'] = 'part'): Selection {
  return { purpose, firstLine, lastLine, digest };
}
const submission = (id: string, more: Partial<Submission> = {}) => ledgerSubmission(id, 0, { connection: 'Lab', ...more });
const batch = (processing_status: string) => ({ id: 'b', processing_status }) as MessageBatch;
const sent = (more: Partial<Sent> = {}): Sent => ({ connection: 'Lab', origin: 'http://127.0.0.1:1', sha256: 'a', ...more });
const idsOf = (one: Sent, ...others: readonly Submission[]) => repeatsOf(one, others).map(({ id }) => id);

describe('features/batches/submitting/repeatsOf', () => {
  const ledger = useLedger();

  it('treats a submission of the same bytes on the same connection as a repeat if it may have a batch', () => {
    const others = [
      submission('created'),
      submission('unknown', { state: 'unknown' }),
      submission('sending', { state: 'sending' }),
      submission('failed', { state: 'failed' }),
      submission('abandoned', { state: 'abandoned' }),
      submission('deleted', { deleted: true, batch: batch('ended') }),
      submission('not found', { deleted: true, batch: batch('in_progress') }),
      submission('elsewhere', { connection: 'Other', origin: 'http://127.0.0.1:2' }),
      submission('other bytes', { sha256: 'b' }),
    ];
    assert.deepEqual(idsOf(sent(), ...others), ['created', 'unknown', 'sending', 'not found']);
  });

  it('treats only submissions to the same address as repeats, under any connection name', () => {
    const others = [
      submission('renamed', { connection: 'Laboratory' }),
      submission('moved', { origin: 'http://127.0.0.1:2' }),
      submission('neither', { connection: 'Other', origin: 'http://127.0.0.1:2' }),
    ];
    assert.deepEqual(idsOf(sent(), ...others), ['renamed']);
    assert.deepEqual(idsOf(sent({ origin: '' }), submission('of a stopped emulator')), ['of a stopped emulator']);
    assert.deepEqual(idsOf(sent({ origin: '' }), submission('stopped', { connection: 'Emulator', origin: '' })), []);
  });

  it('treats a damaged record as a repeat for any file and service, whatever its other fields contain', () => {
    const follows = { runId: 'root', purpose: 'changed' } as const;
    const damaged = { sha256: '', connection: 'Other', origin: 'http://127.0.0.1:2', selection: selection(50, 60, 'z') };
    const others = [
      submission('blank', { state: 'unknown', sha256: '', connection: '', origin: '' }),
      submission('of an older version', { state: 'unknown', connection: '', origin: '' }),
      submission('batch known', { ...damaged }),
      submission('root', { ...damaged }),
      submission('abandoned', { state: 'abandoned', sha256: '' }),
    ];
    const one = sent({ selection: selection(0, 9, 'x'), group: { id: 'g', index: 0, count: 2 }, follows });
    assert.deepEqual(idsOf(one, ...others), ['blank', 'of an older version', 'batch known', 'root']);
  });

  it('asks before a file is sent again, whichever bit of its record has flipped', async () => {
    const registry = ledger.open();
    for (const more of [{ state: 'unknown' }, { state: 'created', batchId: 'b', deleted: false }] as const) {
      const id = randomUUID();
      await registry.save(submission(id, { ...more, selection: selection(0, 9, 'x'), steps: [] }));
      const file = path.join(ledger.folder, id, 'submission.json');
      const whole = readFileSync(file);
      // Flips at least one bit of each byte.
      for (let bit = 0; bit < whole.length * 8; bit += 7) {
        const flipped = Buffer.from(whole);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        writeFileSync(file, flipped);
        const stored = (await readSubmissionFile(path.dirname(file))) ?? assert.fail();
        const repeats = repeatsOf(sent({ selection: selection(0, 9, 'x') }), [stored.submission]);
        assert.equal(repeats.length, 1, `bit ${bit & 7} behind ${whole.toString('utf8', 0, bit >> 3).slice(-30)}`);
      }
    }
  });

  it('treats the whole file as a repeat of its parts, and parts as repeats of the whole and of overlapping parts', () => {
    assert.deepEqual(idsOf(sent({ selection: selection(0, 9, 'x') }), submission('whole')), ['whole']);
    assert.deepEqual(idsOf(sent(), submission('part', { selection: selection(0, 9, 'x') })), ['part']);
    const others = [
      submission('before', { selection: selection(0, 9, 'p') }),
      submission('over', { selection: selection(5, 15, 'q') }),
      submission('after', { selection: selection(21, 30, 'r') }),
      submission('same', { selection: selection(10, 20, 'x') }),
    ];
    assert.deepEqual(idsOf(sent({ selection: selection(10, 20, 'x') }), ...others), ['over', 'same']);
  });

  it('treats the same part of a group as a repeat, but no other part', () => {
    const group = (index: number) => ({ id: 'g', index, count: 2 });
    const parts = [
      submission('p0', { selection: selection(0, 9, 'x'), group: group(0) }),
      submission('p1', { selection: selection(9, 9, 'y'), group: group(1) }),
    ];
    assert.deepEqual(idsOf(sent({ selection: selection(9, 9, 'y'), group: group(1) }), ...parts), ['p1']);
  });

  it('treats an earlier run as a repeat only if it sent the same requests', () => {
    const root = submission('root');
    const follows = { runId: 'root', purpose: 'changed' } as const;
    const changed = submission('changed', { selection: selection(3, 8, 'x', 'changed'), follows });
    assert.deepEqual(idsOf(sent({ selection: selection(3, 8, 'y', 'changed'), follows }), root, changed), []);
    assert.deepEqual(idsOf(sent({ selection: selection(3, 8, 'x', 'changed'), follows }), root, changed), ['changed']);
    assert.deepEqual(idsOf(sent({ selection: selection(3, 8, 'y', 'changed'), follows }), root, submission('other')), ['other']);
  });
});
