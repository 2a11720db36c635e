import assert from 'node:assert/strict';
import { ChosenRuns } from '../../../../src/features/ledger/chosenRuns';
import { resultsAt, submissionOf } from '../batches/fileRuns/submissionOf';

const source = 'file:///evals.jsonl';

describe('features/ledger/chosenRuns', () => {
  const memory = () => {
    const held = new Map<string, unknown>();
    return { get: (key: string) => held.get(key), update: async (key: string, value: unknown) => void held.set(key, value) };
  };
  const all = [submissionOf('2', { results: resultsAt('/2') }), submissionOf('1', { results: resultsAt('/1') })];

  it('keeps a chosen run, across a reload too, until it is unset', async () => {
    const state = memory();
    const chosen = new ChosenRuns(state);
    let changes = 0;
    chosen.onDidChange(() => changes++);
    assert.equal(chosen.runOf(all, source), undefined);
    await chosen.choose(all, source, '1');
    assert.equal(new ChosenRuns(state).runOf(all, source)?.id, '1');
    assert.equal(chosen.runOf(all, 'file:///other.jsonl'), undefined);
    await chosen.choose(all, source, undefined);
    assert.equal(chosen.runOf(all, source), undefined);
    assert.equal(changes, 2);
  });

  it('drops the choice when newer results arrive or the run is deleted', async () => {
    const chosen = new ChosenRuns(memory());
    await chosen.choose(all, source, '1');
    assert.equal(chosen.runOf([submissionOf('3'), ...all], source)?.id, '1', 'what is under way has no results');
    assert.equal(chosen.runOf([submissionOf('3', { results: resultsAt('/3') }), ...all], source), undefined);
    assert.equal(chosen.runOf(all.slice(0, 1), source), undefined);
  });
});
