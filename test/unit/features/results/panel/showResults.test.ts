import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { SubmissionRegistry } from '../../../../../src/features/ledger';
import { type ResultsPanels, showResults } from '../../../../../src/features/results/resultsPanels';
import { joinResults } from '../../../../../src/jsonl/results/resultsJoin';
import { MemoryRegistry } from '../../../../helpers/memoryRegistry';
import { useFolder } from '../../../../helpers/useFolder';
import { submissionOf } from '../../batches/fileRuns/submissionOf';

describe('features/results/panel/showResults', () => {
  const file = useFolder();

  it('shows the run of a results file, and the file itself after the user changed it', async () => {
    const line = '{"custom_id":"a","result":{"type":"expired"}}\n';
    writeFileSync(file('raw.jsonl'), line);
    const paths = { joinedPath: file('joined.jsonl'), indexPath: file('results.index') };
    const { report } = await joinResults(
      { ...paths, rawPath: file('raw.jsonl') },
      { throwIfAborted: () => undefined, progress: () => undefined },
    );
    const shown = file('evals.results.jsonl');
    await copyFile(paths.joinedPath, shown);
    const fetchedAt = '2026-01-09T00:00:00Z';
    const registry = new MemoryRegistry([
      submissionOf('1', {
        results: { joinedPath: paths.joinedPath, fetchedAt, report },
        resultsFile: { path: shown, stamp: '', fetchedAt },
      }),
    ]);
    const panels: unknown[] = [];
    const show = async () =>
      await showResults(
        {
          registry: Object.assign(registry, { folder: () => file() }) as unknown as SubmissionRegistry,
          panels: { show: (what: unknown) => panels.push(what) } as unknown as ResultsPanels,
        },
        vscode.Uri.file(shown),
      );
    await show();
    writeFileSync(shown, line.replace('expired', 'canceled'));
    await show();
    assert.deepEqual(panels, [{ runId: '1' }, { file: shown }]);
  });
});
