import assert from 'node:assert/strict';
import path from 'node:path';
import { applyRenames, changeOf, type FileRename } from '../../../../src/features/ledger/applyRenames';
import type { Submission } from '../../../../src/features/ledger/submission';
import { fieldOf } from '../../../helpers/fieldOf';
import { resultsAt } from '../batches/fileRuns/submissionOf';
import { ids, recordOf, useLedger } from './ledgerOfTest';

const home = path.resolve('/home/ada');

const submission = (change: Partial<Submission> = {}) =>
  recordOf({ source: 'file:///home/ada/q/requests.jsonl', state: 'created', startedAt: '2026-05-01T10:00:00Z', ...change });

const move = (from: string, to: string): FileRename => ({
  from: `file:///home/ada/${from}`,
  to: `file:///home/ada/${to}`,
  fromPath: path.join(home, from),
  toPath: path.join(home, to),
});

describe('features/ledger/applyRenames', () => {
  const ledger = useLedger();
  const registry = () => ledger.open();

  it('finds moved files, but no files whose names only share a prefix', () => {
    const one = submission({ results: resultsAt(path.join(home, 'q', 'requests.results.jsonl')) });
    assert.deepEqual(changeOf(one, [move('q/requests.jsonl', 'q/asked.jsonl')]), { source: 'file:///home/ada/q/asked.jsonl' });
    assert.deepEqual(changeOf(one, [move('q', 'old/q')]), {
      source: 'file:///home/ada/old/q/requests.jsonl',
      results: resultsAt(path.join(home, 'old', 'q', 'requests.results.jsonl')),
    });
    assert.deepEqual(changeOf(one, [move('q/request', 'x'), move('q/requests', 'x'), move('q/requests.jsonl.bak', 'x')]), {});
  });

  it('swaps two swapped names', () => {
    const moves = [move('a.jsonl', 'b.jsonl'), move('b.jsonl', 'a.jsonl')];
    const [a, b] = ['a', 'b'].map(name => changeOf(submission({ source: `file:///home/ada/${name}.jsonl` }), moves).source);
    assert.deepEqual([a, b], ['file:///home/ada/b.jsonl', 'file:///home/ada/a.jsonl']);
  });

  it('records the new paths of a file, its copy and its results, for every window', async () => {
    const made = [
      { source: 'file:///home/ada/q/requests.retry.jsonl', sha256: 'cd', purpose: 'retry', madeAt: '2026-05-01T12:00:00Z' },
      { source: 'file:///home/ada/elsewhere.jsonl', sha256: 'ef', purpose: 'retry', madeAt: '2026-05-01T13:00:00Z' },
    ] as const;
    const one = registry();
    await one.save(submission({ made, groupResults: resultsAt(path.join(home, 'q', 'all.jsonl')) }));
    await one.save(submission({ id: ids[1], source: 'file:///home/ada/other.jsonl' }));
    const other = registry();
    await other.load();
    await applyRenames(one, [move('q', 'p')]);
    await other.reload();
    for (const window of [one, other]) {
      const found = window.find(ids[0]);
      assert.equal(found?.source, 'file:///home/ada/p/requests.jsonl');
      assert.deepEqual(fieldOf(found.made, 'source'), ['file:///home/ada/p/requests.retry.jsonl', 'file:///home/ada/elsewhere.jsonl']);
      assert.equal(found.groupResults?.joinedPath, path.join(home, 'p', 'all.jsonl'));
      assert.equal(window.find(ids[1])?.source, 'file:///home/ada/other.jsonl');
    }
  });

  it('keeps changes that another window writes meanwhile', async () => {
    const one = registry();
    await one.save(submission());
    const other = registry();
    await other.load();
    const update = one.update.bind(one);
    one.update = async (...given) => {
      one.update = update;
      await other.update(ids[0], { results: resultsAt(path.join(home, 'q', 'requests.results.jsonl')) });
      return await update(...given);
    };
    await applyRenames(one, [move('q', 'p')]);
    const found = one.find(ids[0]);
    assert.equal(found?.source, 'file:///home/ada/p/requests.jsonl');
    assert.equal(found.results?.joinedPath, path.join(home, 'p', 'requests.results.jsonl'));
  });
});
