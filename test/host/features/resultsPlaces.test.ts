import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { isReplaced, placeForResults, quietPlaceForResults } from '../../../src/features/batches/fetching/resultsPlaces';
import type { Submission } from '../../../src/features/ledger/submission';
import { stampOfFile } from '../../../src/jsonl/files/publishing';

describe('where results go that nobody was asked about', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'places-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const submission = (id: string, more: Partial<Submission> = {}) =>
    ({
      id,
      source: vscode.Uri.file(path.join(folder, 'a.jsonl')).toString(),
      batch: { processing_status: 'ended' },
      ...more,
    }) as Submission;

  const registryOf = (...all: readonly Submission[]) => ({ all: () => all, folder: (id: string) => path.join(folder, id) });
  const place = async (of: Submission, ...others: readonly Submission[]) =>
    path.relative(folder, (await quietPlaceForResults(registryOf(of, ...others), of)).joinedPath);

  it('is beside the file, where they went before, or in the folder of the submission', async () => {
    assert.equal(await place(submission('1')), 'a.results.jsonl');
    const results = { joinedPath: path.join(folder, 'mine.jsonl') } as Submission['results'];
    assert.equal(await place(submission('1', { ...(results && { results }) })), 'mine.jsonl');
    assert.equal(await place(submission('1', { source: 'other:/elsewhere/a.jsonl' })), path.join('1', 'a.results.jsonl'));
  });

  it('is not where they went before when newer results of another batch took that name', async () => {
    const joinedPath = path.join(folder, 'a.results.jsonl');
    writeFileSync(joinedPath, '');
    const stamp = await stampOfFile(joinedPath);
    const at = (fetchedAt: string) => ({ results: { joinedPath, fetchedAt, stamp } as NonNullable<Submission['results']> });
    const [older, newer] = [submission('1', at('2026-01-01T00:00:00.000Z')), submission('2', at('2026-01-02T00:00:00.000Z'))];
    assert.equal(await place(older, newer), 'a.results-2.jsonl');
    assert.equal(await place(newer, older), 'a.results.jsonl');
    const replaced = [older, newer].map(({ results }) => results && isReplaced({ all: () => [older, newer] }, results));
    assert.deepEqual(replaced, [true, false]);
  });

  it('is not where they went before when that was edited since, unless the user says so', async () => {
    const joinedPath = path.join(folder, 'a.results.jsonl');
    writeFileSync(joinedPath, 'as it was written');
    const stamp = await stampOfFile(joinedPath);
    const of = submission('1', { results: { joinedPath, fetchedAt: '', stamp } as NonNullable<Submission['results']> });
    assert.deepEqual(await placeForResults(registryOf(of), of), { joinedPath, standing: { stamp } }, 'nobody is asked');
    writeFileSync(joinedPath, 'as it was written, with a remark');
    assert.equal(await place(of), 'a.results-2.jsonl');
    const asked: unknown[] = [];
    const { showWarningMessage } = vscode.window;
    vscode.window.showWarningMessage = (async (...given: unknown[]) => {
      asked.push(given[0]);
      return 'Replace';
    }) as typeof showWarningMessage;
    try {
      const edited = { stamp: await stampOfFile(joinedPath) };
      assert.deepEqual(await placeForResults(registryOf(of), of), { joinedPath, standing: edited });
      assert.match(String(asked[0]), /was changed since it was written/);
    } finally {
      vscode.window.showWarningMessage = showWarningMessage;
    }
  });

  it('is never where something stands, nor where others go at the same moment', async () => {
    writeFileSync(path.join(folder, 'a.results.jsonl'), '');
    assert.equal(await place(submission('1')), 'a.results-2.jsonl');
    const [one, two] = [submission('1'), submission('2')];
    assert.notEqual(await place(one, two), await place(two, one));
    const part = (id: string, index: number) => submission(id, { group: { id: 'g', index, count: 2 } });
    assert.equal(await place(part('1', 0), part('2', 1)), 'a.results-2.jsonl');
  });
});
