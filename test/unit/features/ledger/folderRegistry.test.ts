import assert from 'node:assert/strict';
import path from 'node:path';
import type { Submission } from '../../../../src/features/ledger/submission';
import { ids, recordOf, useLedger } from './ledgerOfTest';

const [id] = ids;
const submission = () =>
  recordOf({ source: 'file:///r.jsonl', requestCount: 1, startedAt: new Date().toISOString(), state: 'created', batchId: 'b' });

describe('features/ledger/folderRegistry', () => {
  const ledger = useLedger();
  const opened = () => ledger.open();

  it('knows nothing at first, begins to load with the first question, and fires for what it finds', async () => {
    await opened().save(submission());
    const registry = opened();
    const found = new Promise<Submission>(resolve => registry.onDidChange(resolve));
    assert.deepEqual([registry.all(), registry.find(id), registry.findBySource('file:///r.jsonl')], [[], undefined, []]);
    assert.equal((await found).id, id);
    assert.deepEqual(
      [registry.all().length, registry.find(id)?.id, registry.findBySource('file:///r.jsonl').length, registry.findByBatch('Lab', 'b')?.id],
      [1, id, 1, id],
    );
  });

  it('does what is asked while it loads in the order of the questions', async () => {
    const registry = opened();
    const states: unknown[] = [];
    registry.onDidChange(({ problem }) => states.push(problem));
    await Promise.all([
      registry.save(submission()),
      registry.update(id, { problem: 'first' }),
      registry.update(id, { problem: 'second' }),
      registry.load(),
    ]);
    assert.equal(registry.find(id)?.problem, 'second');
    assert.deepEqual(
      states.filter(state => state !== undefined),
      ['first', 'second'],
    );
  });

  it('tells folders without being loaded, and lets go of nothing', () => {
    const registry = opened();
    assert.equal(registry.folder(id), path.join(ledger.folder, id));
    assert.throws(() => registry.folder('../outside'));
    registry.letGo(id);
  });

  it('fires no more once it is disposed', async () => {
    const registry = opened();
    registry.onDidChange(() => assert.fail('It fired.'));
    const saved = registry.save(submission());
    registry.dispose();
    await saved;
  });
});
