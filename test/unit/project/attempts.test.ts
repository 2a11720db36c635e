import assert from 'node:assert/strict';
import { type Outcome, runUpToTwice, toAttemptsSummary } from '../../host/attempts.mjs';

const good: Outcome = { passed: 3, failed: 0, failures: [] };
const bad: Outcome = { passed: 2, failed: 1, failures: ['a view shows rows: Timeout 20000ms exceeded.'] };

/** Runs a file whose attempts end like this, and counts them. */
async function run(...endings: readonly Outcome[]) {
  const attempts: number[] = [];
  const outcome = await runUpToTwice('workbench/view.test.ts', async attempt => {
    attempts.push(attempt);
    return endings[attempt - 1] ?? assert.fail('too many attempts');
  });
  return { outcome, attempts };
}

describe('attempts at a host test file', () => {
  it('run a file that passes once, and say nothing', async () => {
    const { outcome, attempts } = await run(good);
    assert.deepEqual(attempts, [1]);
    assert.deepEqual(outcome, { name: 'workbench/view.test.ts', ...good });
    assert.deepEqual(toAttemptsSummary([outcome]), []);
  });

  it('count the second attempt of a file that failed, and say what failed at the first', async () => {
    const { outcome, attempts } = await run(bad, good);
    assert.deepEqual(attempts, [1, 2]);
    assert.deepEqual([outcome.passed, outcome.failed], [3, 0]);
    assert.deepEqual(toAttemptsSummary([outcome]), [
      'Passed only at the second attempt; what failed at the first:',
      '  workbench/view.test.ts',
      '    a view shows rows: Timeout 20000ms exceeded.',
    ]);
  });

  it('leave a file failed that fails twice, and never try a third time', async () => {
    const worse = { passed: 0, failed: 1, failures: ['it did not end within 300 s'] };
    const { outcome, attempts } = await run(bad, worse);
    assert.deepEqual(attempts, [1, 2]);
    assert.deepEqual([outcome.passed, outcome.failed], [0, 1]);
    assert.deepEqual(toAttemptsSummary([outcome]), [
      'Failed twice; what failed at the second attempt:',
      '  workbench/view.test.ts',
      '    it did not end within 300 s',
    ]);
  });

  it('take a first attempt that was made together with other files', async () => {
    const attempts: number[] = [];
    const again = async (attempt: number) => {
      attempts.push(attempt);
      return good;
    };
    await runUpToTwice('page.test.ts', again, good);
    assert.deepEqual(attempts, []);
    const { first } = await runUpToTwice('page.test.ts', again, bad);
    assert.deepEqual(attempts, [2]);
    assert.deepEqual(first, bad);
  });
});
