import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { SubmissionRegistry } from '../../../../../src/features/ledger';
import { ChosenRuns } from '../../../../../src/features/ledger/chosenRuns';
import { submissionFiles } from '../../../../../src/features/ledger/submissionFile';
import { DocumentAnswers } from '../../../../../src/features/requests/answers/documentAnswers';
import type { RequestDocuments } from '../../../../../src/features/requests/documents/requestDocuments';
import type { JsonlJobs } from '../../../../../src/jsonl/jobs/jobs';
import { joinResults } from '../../../../../src/jsonl/results/resultsJoin';
import { MemoryRegistry } from '../../../../helpers/memoryRegistry';
import { useFolder } from '../../../../helpers/useFolder';
import { submissionOf } from '../../batches/fileRuns/submissionOf';
import { MemoryMemento } from '../../sessions/memoryMemento';

describe('features/requests/answers/documentAnswers', () => {
  const file = useFolder();
  const noEvent = () => new vscode.Disposable(() => undefined);

  async function fetched(id: string, day: number, failed: string) {
    await mkdir(file(id));
    await writeFile(file(id, 'raw'), `{"custom_id":"${failed}","result":{"type":"expired"}}\n`);
    const joinedPath = file(id, 'joined.jsonl');
    const { report } = await joinResults(
      { rawPath: file(id, 'raw'), joinedPath, indexPath: file(id, submissionFiles.resultsIndex) },
      { throwIfAborted: () => undefined, progress: () => undefined },
    );
    const startedAt = `2026-01-0${day}T00:00:00Z`;
    return submissionOf(id, { startedAt, results: { joinedPath, fetchedAt: startedAt, report } });
  }

  it('finds the failed requests of a file that is not open in the chosen run', async () => {
    const submissions = [await fetched('2', 2, 'new'), await fetched('1', 1, 'old')];
    const registry = Object.assign(new MemoryRegistry(submissions), { folder: (id: string) => file(id) });
    const chosenRuns = new ChosenRuns(new MemoryMemento());
    const answers = new DocumentAnswers(
      { onDidOpen: noEvent, onDidClose: noEvent, all: () => [], get: () => undefined } as unknown as RequestDocuments,
      registry as unknown as SubmissionRegistry,
      chosenRuns,
      {} as JsonlJobs,
      { warn: () => undefined, debug: () => undefined },
    );
    const source = submissions[0]?.source ?? '';
    const failing = () => answers.failingScope(vscode.Uri.parse(source));
    assert.deepEqual(await failing(), { by: 'ids', ids: new Set(['new']) });
    await chosenRuns.choose(submissions, source, '1');
    assert.deepEqual(await failing(), { by: 'ids', ids: new Set(['old']) });
    answers.dispose();
  });
});
