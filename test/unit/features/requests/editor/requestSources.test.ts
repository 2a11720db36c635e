import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { RequestSources } from '../../../../../src/features/requests/editor/requestSources';
import type { JsonlJobs } from '../../../../../src/jsonl/jobs/jobs';

describe('features/requests/editor/requestSources', () => {
  it('stops its jobs when the extension ends', async () => {
    const lifetime = new AbortController();
    const run = async (_: string, __: object, { signal }: { signal: AbortSignal }) => {
      lifetime.abort();
      signal.throwIfAborted();
    };
    const sources = new RequestSources({ jobs: { run } as unknown as JsonlJobs, lifetime: lifetime.signal });
    await assert.rejects(sources.find(vscode.Uri.file(process.execPath), { line: 0 }), { name: 'AbortError' });
  });
});
