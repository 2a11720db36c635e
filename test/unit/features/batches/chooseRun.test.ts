import assert from 'node:assert/strict';
import { isOfFile } from '../../../../src/features/batches/chooseRun';
import { toRuns } from '../../../../src/features/ledger/runs';
import { resultsAt, submissionOf } from './fileRuns/submissionOf';

describe('features/batches/chooseRun', () => {
  it('knows the runs of the file in front, or of the results file in front', () => {
    const runs = toRuns([
      submissionOf('1', { results: resultsAt('/evals.results.jsonl') }),
      submissionOf('2'),
      submissionOf('3', { source: 'file:///other.jsonl' }),
    ]);
    const ofFile = (uri: string, path: string) => runs.filter(isOfFile(runs, { uri, path })).map(({ id }) => id);
    assert.deepEqual(ofFile('file:///evals.jsonl', '/evals.jsonl'), ['2', '1']);
    assert.deepEqual(ofFile('file:///evals.results.jsonl', '/evals.results.jsonl'), ['1']);
    assert.deepEqual(runs.filter(isOfFile(runs, undefined)), []);
  });
});
