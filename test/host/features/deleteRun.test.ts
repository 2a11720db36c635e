import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { deleteRun } from '../../../src/features/batches/fileRuns/deleteRun';
import { toRuns } from '../../../src/features/ledger/runs';
import { resultsAt, submissionOf } from '../../unit/features/batches/fileRuns/submissionOf';
import { useExtension } from '../useExtension';

describe('features/batches/fileRuns', () => {
  const files = useExtension('deleteRun');

  /** Deletes a run with results at a path, and gives what was asked and what was taken off this machine. */
  async function deleted(resultsPath: string, chosen: string | undefined) {
    const all = [submissionOf('1', { results: resultsAt(resultsPath) })];
    const [run] = toRuns(all);
    assert.ok(run);
    const removed: string[] = [];
    const registry = { all: () => all, reload: async () => {}, remove: async (ids: readonly string[]) => void removed.push(...ids) };
    const asked: unknown[] = [];
    const { showWarningMessage } = vscode.window;
    vscode.window.showWarningMessage = (async (...given: unknown[]) => {
      asked.push(...given);
      return chosen === undefined || given.includes(chosen) ? chosen : given[2];
    }) as typeof showWarningMessage;
    try {
      await deleteRun(registry, run, 'Canary, today').catch(error => assert.equal(error.name, 'CancelledError', String(error)));
    } finally {
      vscode.window.showWarningMessage = showWarningMessage;
    }
    return { asked, removed };
  }

  it('are deleted without their results, or with them, as the user says, and not at all when the user turns back', async () => {
    const results = files.at('evals.results.jsonl');
    files.write('evals.results.jsonl', '{}\n');
    const turnedBack = await deleted(results, undefined);
    assert.deepEqual(turnedBack.removed, []);
    const [question, options, ...buttons] = turnedBack.asked;
    assert.equal(question, 'Delete the run "Canary, today"?');
    assert.match(JSON.stringify(options), /"modal":true.*stays on the service.*evals\.results\.jsonl\. They stay unless/);
    assert.deepEqual(buttons, ['Delete Run', 'Delete Run and Results File']);

    assert.deepEqual((await deleted(results, 'Delete Run')).removed, ['1']);
    assert.ok(existsSync(results));
    assert.deepEqual((await deleted(results, 'Delete Run and Results File')).removed, ['1']);
    assert.ok(!existsSync(results));
    assert.deepEqual((await deleted(results, 'Delete Run')).asked.slice(2), ['Delete Run']);
  });
});
