import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { toRuns } from '../../../../src/features/ledger/runs';
import { isDamaged } from '../../../../src/features/ledger/submission';
import { useLedger } from './ledgerOfTest';

describe('ledger of version 0.4.0', () => {
  const ledger = useLedger();

  it('loads completely: each submission, its batch, its results and the parts of a run', async () => {
    cpSync('test/fixtures/records/0.4.0/ledger', ledger.folder, { recursive: true });
    const registry = await ledger.loaded();
    const submissions = registry.all();
    assert.deepEqual(submissions.filter(isDamaged), []);
    assert.deepEqual(submissions.map(({ state }) => state).sort(), [...Array(6).fill('created'), 'failed']);
    const runs = toRuns(submissions);
    assert.deepEqual(runs.map(({ parts, lead }) => [parts, lead.results !== undefined]).sort(), [
      [1, true],
      [1, true],
      [1, true],
      [3, false],
    ]);
    assert.deepEqual(
      runs.flatMap(({ follows }) => follows?.purpose ?? []),
      ['retry'],
    );
  });
});
