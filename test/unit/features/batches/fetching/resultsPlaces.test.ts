import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../../../../src/common/cancellation';
import { isReplaced, placeForResults, quietPlaceForResults } from '../../../../../src/features/batches/fetching/resultsPlaces';
import type { Submission } from '../../../../../src/features/ledger/submission';
import { stampOfFile } from '../../../../../src/jsonl/files/publishing';

describe('features/batches/fetching/resultsPlaces', () => {
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
    const asked: unknown[][] = [];
    let answer: string | undefined = 'Replace';
    const { showWarningMessage } = vscode.window;
    vscode.window.showWarningMessage = (async (...given: unknown[]) => {
      asked.push(given);
      return answer;
    }) as typeof showWarningMessage;
    try {
      const edited = { stamp: await stampOfFile(joinedPath) };
      assert.deepEqual(await placeForResults(registryOf(of), of), { joinedPath, standing: edited });
      const [question, , ...buttons] = asked[0] ?? [];
      assert.match(String(question), /was changed since it was written/);
      assert.deepEqual(buttons, ['Keep Both', 'Replace'], 'Enter presses the first');
      answer = 'Keep Both';
      assert.equal((await placeForResults(registryOf(of), of)).joinedPath, path.join(folder, 'a.results-2.jsonl'));
      answer = undefined;
      await assert.rejects(placeForResults(registryOf(of), of), CancelledError);
    } finally {
      vscode.window.showWarningMessage = showWarningMessage;
    }
  });

  it('is beside those of another run of the same name, and says when it is a canary, without a question', async () => {
    writeFileSync(path.join(folder, 'a.results.jsonl'), 'of another run');
    const of = submission('1');
    const asked = async (one: Submission) => path.basename((await placeForResults(registryOf(one), one)).joinedPath);
    assert.equal(await asked(of), 'a.results-2.jsonl');
    const ndjson = submission('2', { source: vscode.Uri.file(path.join(folder, 'a.ndjson')).toString() });
    assert.equal(await asked(ndjson), 'a.results-2.jsonl');
    const selection = { purpose: 'canary', firstLine: 0, lastLine: 9, digest: '' } as const;
    assert.equal(await asked(submission('3', { selection })), 'a.canary.results.jsonl');
  });

  it('takes the names of runs that ended together in the order in which they began', async () => {
    const [late, early] = [submission('1', { startedAt: '2026-01-02T00:00:00Z' }), submission('2', { startedAt: '2026-01-01T00:00:00Z' })];
    assert.equal(await place(early, late), 'a.results.jsonl');
    assert.equal(await place(late, early), 'a.results-2.jsonl');
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
