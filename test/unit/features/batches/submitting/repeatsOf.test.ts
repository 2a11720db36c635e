import assert from 'node:assert/strict';
import type { MessageBatch } from '../../../../../src/client/schemas/messageBatches';
import { repeatsOf, type Sent } from '../../../../../src/features/batches/submitting/repeatsOf';
import type { Selection, Submission } from '../../../../../src/features/ledger/submission';
import { submission as ledgerSubmission } from '../../ledger/ledgerOfTest';

const selection = (firstLine: number, lastLine: number, digest: string, purpose: Selection['purpose'] = 'part'): Selection => ({
  purpose,
  firstLine,
  lastLine,
  digest,
});
const submission = (id: string, more: Partial<Submission> = {}) => ledgerSubmission(id, 0, { connection: 'Lab', ...more });
const batch = (processing_status: string) => ({ id: 'b', processing_status }) as MessageBatch;
const sent = (more: Partial<Sent> = {}): Sent => ({ connection: 'Lab', origin: 'http://127.0.0.1:1', sha256: 'a', ...more });
const idsOf = (one: Sent, ...others: readonly Submission[]) => repeatsOf(one, others).map(({ id }) => id);

describe('features/batches/submitting/repeatsOf', () => {
  it('takes for a repeat what may have a batch of the same bytes on the same connection', () => {
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

  it('takes what went to the same address for a repeat, whatever the connection is called, and what went through the same connection', () => {
    const others = [
      submission('renamed', { connection: 'Laboratory' }),
      submission('moved', { origin: 'http://127.0.0.1:2' }),
      submission('neither', { connection: 'Other', origin: 'http://127.0.0.1:2' }),
    ];
    assert.deepEqual(idsOf(sent(), ...others), ['renamed', 'moved']);
    assert.deepEqual(idsOf(sent({ origin: '' }), submission('stopped', { connection: 'Emulator', origin: '' })), []);
  });

  it('takes a damaged record that does not tell its file or its service for one of any', () => {
    const others = [
      submission('blank', { state: 'unknown', sha256: '', connection: '', origin: '' }),
      submission('no file', { state: 'unknown', sha256: '' }),
      submission('no service', { state: 'unknown', connection: '', origin: '' }),
      submission('other file', { state: 'unknown', sha256: 'b', connection: '', origin: '' }),
      submission('other service', { state: 'unknown', sha256: '', connection: 'Other', origin: 'http://127.0.0.1:2' }),
      submission('failed', { state: 'failed', sha256: '' }),
    ];
    assert.deepEqual(idsOf(sent(), ...others), ['blank', 'no file', 'no service']);
  });

  it('takes the whole file for a repeat of its parts, and parts for repeats of the whole and of what they overlap', () => {
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

  it('takes no other part of the same group for a repeat, but the same part', () => {
    const group = (index: number) => ({ id: 'g', index, count: 2 });
    const parts = [
      submission('p0', { selection: selection(0, 9, 'x'), group: group(0) }),
      submission('p1', { selection: selection(9, 9, 'y'), group: group(1) }),
    ];
    assert.deepEqual(idsOf(sent({ selection: selection(9, 9, 'y'), group: group(1) }), ...parts), ['p1']);
  });

  it('takes no generation before for a repeat, unless it sent the very same requests', () => {
    const root = submission('root');
    const follows = { runId: 'root', purpose: 'changed' } as const;
    const changed = submission('changed', { selection: selection(3, 8, 'x', 'changed'), follows });
    assert.deepEqual(idsOf(sent({ selection: selection(3, 8, 'y', 'changed'), follows }), root, changed), []);
    assert.deepEqual(idsOf(sent({ selection: selection(3, 8, 'x', 'changed'), follows }), root, changed), ['changed']);
    assert.deepEqual(idsOf(sent({ selection: selection(3, 8, 'y', 'changed'), follows }), root, submission('other')), ['other']);
  });
});
