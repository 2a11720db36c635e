import assert from 'node:assert/strict';
import { ServiceError, type ServiceErrorKind } from '../../../../src/client/transport/errors';
import { type BatchRow, BatchStore } from '../../../../src/features/batches/batchStore';
import { toSourceNames } from '../../../../src/features/batches/sourceNames';
import type { Submission } from '../../../../src/features/ledger/submission';
import { fieldOf } from '../../../helpers/fieldOf';
import { MemoryRegistry } from '../../../helpers/memoryRegistry';
import { recordOf } from '../ledger/ledgerOfTest';
import { batch as batchOf } from './batchUnderTest';
import { resultsAt } from './fileRuns/submissionOf';

const batch = (id: string) => batchOf('in_progress', { processing: 1 }, { id });
const page = (ids: string[], nextCursor?: string) => ({ items: ids.map(batch), nextCursor, requestId: undefined });
const failure = (kind: ServiceErrorKind) =>
  new ServiceError(`failed: ${kind}`, { kind, outcome: 'unknown', method: 'GET', host: 'h', path: '/' });

/** Returns a submission of `a.jsonl`. The ID is the age of the submission in minutes. */
const submission = (id: string, change: Partial<Submission> = {}): Submission =>
  recordOf({
    ...{ id, connection: 'A', source: 'file:///a.jsonl', state: 'created' },
    startedAt: new Date(Date.parse('2026-01-01T00:00:00Z') - Number(id) * 60_000).toISOString(),
    ...(change.state === undefined && { batchId: `b${id}`, batch: batch(`b${id}`) }),
    ...change,
  });

function storeOf(...submissions: readonly Submission[]): BatchStore {
  const store = new BatchStore(new MemoryRegistry(submissions));
  store.reset('A');
  return store;
}

/** Describes a row in words: a file with its runs, a run with its submissions, or the ID of another batch. */
const words = (row: BatchRow): string => {
  switch (row.kind) {
    case 'file':
      return `${row.name}: ${row.runs.map(words).join(' ')}`;
    case 'run':
      return row.run.submissions.map(({ id }) => id).join('+');
    case 'others':
      return row.below.map(words).join(' ');
    case 'more':
      return row.problem ?? 'more';
  }
};
const shown = (store: BatchStore) => store.rows().map(words);

describe('features/batches/batchStore', () => {
  it('shows the first page of other batches, and a row for more', async () => {
    const store = storeOf();
    store.acceptFirstPage('A', page(['c', 'b'], 'after b'));
    assert.deepEqual(shown(store), ['c b more']);
    await store.loadMore(async cursor => {
      assert.equal(cursor, 'after b');
      return page(['b', 'a']);
    });
    assert.deepEqual(shown(store), ['c b a']);
  });

  it('keeps later pages across a refresh, puts new batches on top and drops deleted ones', async () => {
    const store = storeOf();
    store.acceptFirstPage('A', page(['d', 'c', 'b'], 'after b'));
    await store.loadMore(async () => page(['a', 'z']));
    store.acceptFirstPage('A', page(['e', 'd', 'b'], 'after b'));
    assert.deepEqual(shown(store), ['e d b a z']);
  });

  it('keeps its rows when a later page fails, and says so in the row', async () => {
    const store = storeOf();
    store.acceptFirstPage('A', page(['b'], 'after b'));
    await store.loadMore(async () => {
      throw failure('connection_lost');
    });
    assert.deepEqual(shown(store), ['b failed: connection_lost']);
  });

  it('keeps its rows when a refresh fails, and shows an error without rows', () => {
    const store = storeOf();
    for (const [kind, state] of [
      ['authentication', 'unauthorized'],
      ['connection_refused', 'unreachable'],
      ['not_json', 'failed'],
    ] as const) {
      store.acceptFailure('A', failure(kind));
      assert.equal(store.state, state);
    }
    store.acceptFirstPage('A', page(['a']));
    store.acceptFailure('A', failure('dns'));
    assert.deepEqual(shown(store), ['a']);
    assert.equal(store.state, 'filled');
    assert.notEqual(store.problem, undefined);
  });

  it('ignores a response for another connection', async () => {
    const store = storeOf();
    store.acceptFirstPage('A', page(['a'], 'x'));
    await store.loadMore(async () => {
      store.reset('B');
      return page(['late']);
    });
    store.acceptFirstPage('A', page(['late']));
    assert.deepEqual(shown(store), []);
  });

  it('groups the runs of a file, newest first, apart from batches created elsewhere', () => {
    const other = submission('3', { source: 'file:///b.jsonl' });
    const store = storeOf(submission('2'), submission('1'), other, submission('4', { connection: 'B' }));
    store.acceptFirstPage('A', page(['b1', 'x', 'b2', 'b3']));
    assert.deepEqual(shown(store), ['a.jsonl: 1 2', '3', 'x']);
    assert.deepEqual(
      store.rows().map(row => (row.kind === 'others' ? [row.count, row.isAlone] : row.kind === 'run' && row.isOnly)),
      [false, true, [1, false]],
    );
    assert.deepEqual(store.leaves().map(words), ['1', '2', '3', 'x']);
  });

  it('shows unknown submissions first, also of another connection or with a damaged record', () => {
    const unknown = submission('5', { state: 'unknown', source: 'file:///u.jsonl' });
    const elsewhere = submission('6', { state: 'unknown', connection: 'B', source: 'file:///v.jsonl' });
    const damaged = submission('7', { state: 'unknown', connection: '', sha256: '', source: 'file:///w.jsonl' });
    const store = storeOf(submission('1'), submission('2', { connection: 'B' }), unknown, elsewhere, damaged);
    assert.deepEqual(shown(store), ['5', '6', '7', '1']);
    assert.deepEqual(
      store.rows().map(row => row.kind === 'run' && row.isElsewhere),
      [false, true, true, false],
    );
    assert.deepEqual(
      shown(storeOf(submission('1'), submission('9', { state: 'unknown' }), submission('2', { source: 'file:///b.jsonl' }))),
      ['a.jsonl: 1 9', '2'],
    );
  });

  it('shows sending, unsent and abandoned submissions as runs of their file', () => {
    const store = storeOf(
      submission('1', { state: 'sending' }),
      submission('2', { state: 'failed' }),
      submission('3', { state: 'abandoned' }),
      submission('4'),
    );
    assert.deepEqual(shown(store), ['a.jsonl: 1 2 3 4']);
  });

  it('shows batches deleted on the service while their results exist', () => {
    const deleted = submission('1', { deleted: true });
    assert.deepEqual(shown(storeOf(deleted)), []);
    assert.deepEqual(shown(storeOf({ ...deleted, results: resultsAt('/1') })), ['1']);
  });

  it('shows a run of several parts once, with unlisted, unsent and deleted parts', () => {
    const part = (index: number, more: Partial<Submission> = {}) =>
      submission(`${index}`, { group: { id: 'g', index, count: 5 }, ...more });
    const failed = part(2, { state: 'failed' });
    const store = storeOf(part(0), part(1), failed, part(4, { deleted: true }), submission('8', { source: 'file:///b.jsonl' }));
    store.acceptFirstPage('A', page(['b1', 'x', 'b8'], 'more'));
    assert.deepEqual(shown(store), ['0+1+2+4', '8', 'x more']);
    const { parts } = store.run('0') ?? assert.fail();
    assert.deepEqual(fieldOf(parts, 'kind'), ['batch', 'batch', 'submission', 'unsent', 'deleted']);
  });

  it('moves a retrieved batch to its position, a new one to the top, and removes a deleted one', () => {
    const store = storeOf();
    store.acceptFirstPage('A', page(['b', 'a']));
    store.put('A', { ...batch('a'), processing_status: 'ended' });
    store.put('A', batch('c'));
    store.put('B', batch('x'));
    assert.deepEqual(shown(store), ['c b a']);
    assert.equal(store.findIn('A', 'a')?.processing_status, 'ended');
    store.remove('A', 'c');
    assert.deepEqual(shown(store), ['b a']);
  });

  it('offers the rest of a trial until the rest was sent, or may have been sent', () => {
    const selection = { purpose: 'canary' as const, firstLine: 0, lastLine: 9, digest: 'd' };
    const trial = submission('9', { selection, results: resultsAt('/9') });
    const isOpen = (...states: readonly Submission['state'][]) =>
      storeOf(trial, ...states.map((state, at) => submission(`${at}`, { state, follows: { runId: '9', purpose: 'rest' } })))
        .leaves()
        .find(row => words(row) === '9');
    const open = (...states: readonly Submission['state'][]) => {
      const row = isOpen(...states);
      return row?.kind === 'run' && row.isOpenTrial;
    };
    assert.ok(open() && open('failed', 'abandoned'));
    for (const state of ['created', 'sending', 'unknown'] as const) {
      assert.equal(open('failed', state), false, state);
    }
  });

  it('creates its rows once, and reuses unchanged ones', () => {
    const parts = [0, 1].map(index => submission(`${index}`, { group: { id: 'g', index, count: 2 } }));
    const others = [6, 7, 8].map(age => submission(`${age}`, { source: `file:///${age}.jsonl` }));
    let all = [...parts, submission('5'), ...others];
    const store = new BatchStore({ all: () => all, findByBatch: () => undefined });
    store.reset('A');
    store.acceptFirstPage('A', page([...all.map(({ batchId = '' }) => batchId), 'x']));
    const before = store.rows();
    assert.equal(store.rows(), before);
    const changed = () => store.rows().flatMap((row, index) => (row === before[index] ? [] : [index]));
    store.put('A', { ...batch('b7'), processing_status: 'ended' });
    all = all.map(one => (one.id === '8' ? { ...one, isEndSeen: true } : one));
    assert.deepEqual(changed(), [2, 3]);
    store.put('A', { ...batch('b1'), processing_status: 'ended' });
    assert.deepEqual(changed(), [0, 2, 3]);
  });
});

describe('features/batches/sourceNames', () => {
  it("adds the shortest unique folder only if a file name isn't unique", () => {
    const sources = [
      'file:///ws/a/in/q.jsonl',
      'file:///ws/b/in/q.jsonl',
      'file:///ws/c%20d/q.jsonl',
      'file:///ws/other.jsonl',
      'untitled:q.jsonl',
    ];
    assert.deepEqual([...sources, sources[0] ?? '', 'file:///elsewhere/new.jsonl'].map(toSourceNames([...sources, ...sources])), [
      'q.jsonl (a/in)',
      'q.jsonl (b/in)',
      'q.jsonl (c d)',
      'other.jsonl',
      'untitled:q.jsonl',
      'q.jsonl (a/in)',
      'new.jsonl',
    ]);
  });
});
