import assert from 'node:assert/strict';
import type { MessageBatch } from '../../../../src/client/schemas/messageBatches';
import { ServiceError, type ServiceErrorKind } from '../../../../src/client/transport/errors';
import { BatchStore } from '../../../../src/features/batches/batchStore';
import type { Submission } from '../../../../src/features/ledger/submission';
import { MemoryRegistry } from '../../../helpers/memoryRegistry';

const counts = { processing: 1, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
const batch = (id: string): MessageBatch => ({ id, type: 'message_batch', processing_status: 'in_progress', request_counts: counts });
const page = (ids: string[], nextCursor?: string) => ({ items: ids.map(batch), nextCursor, requestId: undefined });
const failure = (kind: ServiceErrorKind) =>
  new ServiceError(`failed: ${kind}`, { kind, outcome: 'unknown', method: 'GET', host: 'h', path: '/' });

function submission(change: Partial<Submission>): Submission {
  return {
    id: 's1',
    connection: 'A',
    origin: 'http://h',
    source: 'file:///q.jsonl',
    fileBytes: 1,
    sha256: '',
    requestCount: 1,
    bodyBytes: 1,
    state: 'created',
    startedAt: '2026-01-01T00:00:00Z',
    ...change,
  };
}

const ids = (store: BatchStore) => store.rows().map(row => (row.kind === 'batch' ? row.batch.id : row.kind));

describe('features/batches/batchStore', () => {
  it('shows the first page and a row to load more while there is more', async () => {
    const store = new BatchStore(new MemoryRegistry([]));
    store.reset('A');
    store.acceptFirstPage('A', page(['c', 'b'], 'after b'));
    assert.deepEqual(ids(store), ['c', 'b', 'more']);
    await store.loadMore(async cursor => {
      assert.equal(cursor, 'after b');
      return page(['b', 'a']);
    });
    assert.deepEqual(ids(store), ['c', 'b', 'a']);
  });

  it('keeps later pages over a refresh, puts new ones on top and drops what was deleted', async () => {
    const store = new BatchStore(new MemoryRegistry([]));
    store.reset('A');
    store.acceptFirstPage('A', page(['d', 'c', 'b'], 'after b'));
    await store.loadMore(async () => page(['a', 'z']));
    store.acceptFirstPage('A', page(['e', 'd', 'b'], 'after b'));
    assert.deepEqual(ids(store), ['e', 'd', 'b', 'a', 'z']);
  });

  it('keeps what it shows when a later page fails, and says so in the row', async () => {
    const store = new BatchStore(new MemoryRegistry([]));
    store.reset('A');
    store.acceptFirstPage('A', page(['b'], 'after b'));
    await store.loadMore(async () => {
      throw failure('connection_lost');
    });
    assert.deepEqual(ids(store), ['b', 'more']);
    assert.deepEqual(store.rows().at(-1), { kind: 'more', problem: 'failed: connection_lost' });
  });

  it('shows at every connection what does not tell its own, because its record is damaged', () => {
    const damaged = submission({ state: 'unknown', connection: '', origin: '' });
    const store = new BatchStore(new MemoryRegistry([damaged, submission({ id: 's2', state: 'unknown', connection: 'B' })]));
    store.reset('A');
    assert.deepEqual(store.rows(), [{ kind: 'submission', submission: damaged }]);
  });

  it('ends at a cursor that comes back again', async () => {
    const store = new BatchStore(new MemoryRegistry([]));
    store.reset('A');
    store.acceptFirstPage('A', page(['b'], 'x'));
    await store.loadMore(async () => page(['b'], 'x'));
    assert.deepEqual(ids(store), ['b']);
  });

  it('keeps the rows when a refresh fails, and names the state when there is nothing to show', () => {
    const store = new BatchStore(new MemoryRegistry([]));
    store.reset('A');
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
    assert.deepEqual(ids(store), ['a']);
    assert.equal(store.state, 'filled');
    assert.notEqual(store.problem, undefined);
  });

  it('ignores an answer for a connection it has left', async () => {
    const store = new BatchStore(new MemoryRegistry([]));
    store.reset('A');
    store.acceptFirstPage('A', page(['a'], 'x'));
    await store.loadMore(async () => {
      store.reset('B');
      return page(['late']);
    });
    store.acceptFirstPage('A', page(['late']));
    assert.deepEqual(ids(store), []);
  });

  it('puts unresolved submissions of its connection first and none of another', () => {
    const store = new BatchStore(
      new MemoryRegistry([
        submission({ id: 'u', state: 'unknown' }),
        submission({ id: 'o', connection: 'B', state: 'unknown' }),
        submission({ id: 'f', state: 'failed' }),
        submission({ id: 'm', batchId: 'a' }),
      ]),
    );
    store.reset('A');
    store.acceptFirstPage('A', page(['a']));
    const rows = store.rows();
    assert.deepEqual(
      rows.map(row => (row.kind === 'batch' || row.kind === 'submission' ? row.submission?.id : row.kind)),
      ['u', 'm'],
    );
  });

  it('shows what was not sent until its file is sent again', () => {
    const one = (id: string, state: Submission['state'], minute: number, source = 'file:///a.jsonl') =>
      ({ id, connection: 'Lab', source, state, startedAt: new Date(minute * 60_000).toISOString() }) as Submission;
    const failed = one('1', 'failed', 1);
    const shown = (...submissions: readonly Submission[]) => {
      const store = new BatchStore(new MemoryRegistry(submissions));
      store.reset('Lab');
      return store.rows().map(row => (row.kind === 'submission' ? row.submission.id : row.kind));
    };
    assert.deepEqual(shown(failed, one('2', 'failed', 2, 'file:///b.jsonl')), ['2', '1']);
    assert.deepEqual(shown(failed, one('2', 'failed', 2)), ['2']);
    assert.deepEqual(shown(failed, one('2', 'created', 2)), []);
    assert.deepEqual(shown(failed, one('2', 'sending', 2)), ['2']);
    const part = (id: string, index: number) => ({ ...one(id, 'failed', index), group: { id: 'g', index, count: 3 } });
    assert.deepEqual(shown(part('p0', 0)), ['p0']);
  });

  it('shows a group once, where its newest part is listed, with the parts that are not listed or not sent', () => {
    const part = (index: number, more: Partial<Submission> = {}) =>
      submission({ id: `p${index}`, batchId: `b${index}`, batch: batch(`b${index}`), group: { id: 'g', index, count: 4 }, ...more });
    const store = new BatchStore(
      new MemoryRegistry([
        part(0),
        part(1),
        part(2, { state: 'failed', batchId: undefined, batch: undefined }),
        submission({ id: 'm', batchId: 'a' }),
      ]),
    );
    store.reset('A');
    store.acceptFirstPage('A', page(['b1', 'x', 'a'], 'more'));
    assert.deepEqual(ids(store), ['group', 'x', 'a', 'more']);
    const [row] = store.rows();
    assert.ok(row?.kind === 'group');
    assert.deepEqual(
      row.parts.map(({ kind }) => kind),
      ['batch', 'batch', 'submission', 'unsent'],
    );
    assert.equal(store.group('p0')?.run.parts, 4);
  });

  it('puts a group first while a part of it is sent or nobody knows, and shows a deleted part as that', () => {
    const part = (index: number, more: Partial<Submission> = {}) =>
      submission({ id: `p${index}`, batchId: `b${index}`, batch: batch(`b${index}`), group: { id: 'g', index, count: 2 }, ...more });
    const store = new BatchStore(new MemoryRegistry([part(0, { deleted: true }), part(1, { state: 'unknown', batchId: undefined })]));
    store.reset('A');
    store.acceptFirstPage('A', page(['x']));
    assert.deepEqual(ids(store), ['group', 'x']);
    const [row] = store.rows();
    assert.deepEqual(row?.kind === 'group' && row.parts.map(({ kind }) => kind), ['deleted', 'submission']);
  });

  it('puts a seen batch in its place, a new one on top, and takes a deleted one out', () => {
    const store = new BatchStore(new MemoryRegistry([]));
    store.reset('A');
    store.acceptFirstPage('A', page(['b', 'a']));
    store.put('A', { ...batch('a'), processing_status: 'ended' });
    store.put('A', batch('c'));
    store.put('B', batch('x'));
    assert.deepEqual(ids(store), ['c', 'b', 'a']);
    assert.equal(store.find('A', 'a')?.processing_status, 'ended');
    store.remove('A', 'c');
    assert.deepEqual(ids(store), ['b', 'a']);
  });

  it('makes its rows once of what they show, however often they are asked for, and again of what changed', () => {
    let submissions: readonly Submission[] = [submission({ batchId: 'b' })];
    const store = new BatchStore({ all: () => submissions, findByBatch: () => undefined });
    store.reset('A');
    const before = store.rows();
    store.acceptFirstPage('A', page(['b', 'a']));
    const rows = store.rows();
    assert.notEqual(rows, before);
    assert.equal(store.state, 'filled');
    assert.equal(store.rows(), rows);
    const kept = store.list.items[1];
    if (kept !== undefined) {
      store.put('A', { ...kept });
    }
    assert.notEqual(store.rows(), rows);
    const put = store.rows();
    submissions = [...submissions];
    assert.notEqual(store.rows(), put);
    store.reset('B');
    assert.deepEqual(ids(store), []);
  });

  it('gives the very rows of before but for what changed, also when the ledger did', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => `b${index}`);
    let all = rows.map((batchId, index) => submission({ id: `s${index}`, batchId, source: `file:///${index}.jsonl` }));
    const store = new BatchStore({ all: () => all, findByBatch: () => undefined });
    store.reset('A');
    store.acceptFirstPage('A', page(rows, 'after'));
    const before = store.rows();
    store.put('A', { ...batch('b7'), processing_status: 'ended' });
    all = all.with(9, { ...submission({ id: 's9', batchId: 'b9' }), isEndSeen: true });
    const others = store.rows().flatMap((row, index) => (row === before[index] ? [] : [index]));
    assert.deepEqual(others, [7, 9, 200], 'The last one says that there is more.');
  });

  it('gives the very row of a group as long as none of its parts is another', () => {
    const parts = [0, 1].map(index => submission({ id: `s${index}`, batchId: `b${index}`, group: { id: 'g', index, count: 2 } }));
    let all: readonly Submission[] = [...parts, submission({ id: 'other' })];
    const store = new BatchStore({ all: () => all, findByBatch: () => undefined });
    store.reset('A');
    store.acceptFirstPage('A', page(['b0', 'b1']));
    const [group] = store.rows();
    all = [...parts, submission({ id: 'other', isEndSeen: true })];
    assert.equal(store.rows()[0], group);
    store.put('A', { ...batch('b1'), processing_status: 'ended' });
    assert.notEqual(store.rows()[0], group);
  });
});
