import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { deleteRun } from '../../../../../src/features/batches/fileRuns/deleteRun';
import { toRuns } from '../../../../../src/features/ledger/runs';
import { resultsAt, submissionOf } from './submissionOf';

describe('features/batches/fileRuns/deleteRun', () => {
  const { fs } = vscode.workspace;
  let folder: string;
  let deletions: unknown[];
  let hasTrash: boolean;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'delete-run-'));
    deletions = [];
    hasTrash = true;
    const remove: typeof fs.delete = async (uri, options) => {
      deletions.push(options);
      assert.ok(hasTrash || options?.useTrash !== true, 'there is no trash');
      rmSync(uri.fsPath);
    };
    Object.assign(vscode.workspace, { fs: { delete: remove } });
  });

  afterEach(() => {
    Object.assign(vscode.workspace, { fs });
    rmSync(folder, { recursive: true, force: true });
  });

  /** Deletes a run with results at a path. Returns the question, and what was deleted from this machine. */
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
    const results = path.join(folder, 'evals.results.jsonl');
    writeFileSync(results, '{}\n');
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
    assert.deepEqual(deletions, [{ useTrash: true }]);
    assert.deepEqual((await deleted(results, 'Delete Run')).asked.slice(2), ['Delete Run']);
  });

  it('asks again before results are deleted where there is no trash', async () => {
    const results = path.join(folder, 'evals.results.jsonl');
    writeFileSync(results, '{}\n');
    hasTrash = false;
    const { asked } = await deleted(results, 'Delete Run and Results File');
    assert.deepEqual(asked.slice(-3), [
      'evals.results.jsonl cannot go to the trash here. Delete it permanently?',
      { modal: true },
      'Delete Permanently',
    ]);
    assert.deepEqual(deletions, [{ useTrash: true }, undefined]);
    assert.ok(!existsSync(results));
  });
});
