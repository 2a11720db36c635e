import assert from 'node:assert/strict';
import { runsToChoose } from '../../../../src/features/batches/runsToChoose';
import type { FetchedResults, Submission } from '../../../../src/features/ledger/submission';

const source = 'file:///evals.jsonl';

const submission = (id: string, more: Partial<Submission> = {}) =>
  ({ id, source, connection: 'A', batchId: `b-${id}`, state: 'created', startedAt: `2026-01-0${id}T00:00:00Z`, ...more }) as Submission;

describe('features/batches/runsToChoose', () => {
  const other = submission('3', { source: 'file:///other.jsonl' });

  it('has the runs of the file in front first, each newest first', () => {
    const { ofShown, others } = runsToChoose([submission('1'), submission('2'), other], () => true, {
      uri: source,
      path: '/evals.jsonl',
    });
    assert.deepEqual([ofShown.map(({ id }) => id), others.map(({ id }) => id)], [['2', '1'], ['3']]);
  });

  it('knows the runs of a results file in front', () => {
    const results = { joinedPath: '/evals.results.jsonl' } as FetchedResults;
    const shown = { uri: 'file:///evals.results.jsonl', path: '/evals.results.jsonl' };
    const { ofShown } = runsToChoose([submission('1', { results }), submission('2')], () => true, shown);
    assert.deepEqual(
      ofShown.map(({ id }) => id),
      ['1'],
    );
  });

  it('offers none that does not fit', () => {
    const { ofShown, others } = runsToChoose([submission('1'), other], ({ id }) => id !== '3', undefined);
    assert.deepEqual([ofShown, others.map(({ id }) => id)], [[], ['1']]);
  });
});
