import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ReportDocuments } from '../../../../../src/common/documents/reportDocuments';
import { type ChangedDependencies, createChanged } from '../../../../../src/features/batches/incremental/createChanged';
import { prepareContent } from '../../../../../src/features/batches/sheet/preparedContent';
import { type Checked, findChanges } from '../../../../../src/features/batches/sheet/sheetTruth';
import type { ChosenRequests } from '../../../../../src/features/batches/submitting/chosenRequests';
import { createSubmissionRegistry } from '../../../../../src/features/ledger/createSubmissionRegistry';
import type { Submission } from '../../../../../src/features/ledger/submission';
import type { SubmissionRegistry } from '../../../../../src/features/ledger/submissionRegistry';
import { findChanged } from '../../../../../src/jsonl/merging/findChanged';
import { hashRequests } from '../../../../../src/jsonl/merging/hashRequests';
import type { ChangedSource, HashSource } from '../../../../../src/jsonl/merging/mergingJobs';
import { joinResults } from '../../../../../src/jsonl/results/resultsJoin';

const quiet = { throwIfAborted: () => {}, progress: () => {} };
const request = (id: string, text: string) => `{"custom_id":"${id}","params":{"text":"${text}"}}`;
const sent = `${request('kept', 'a')}\n${request('failed', 'a')}\n${request('edited', 'a')}\n`;

describe('features/batches/incremental/createChanged', () => {
  let folder: string;
  let file: string;
  let registry: SubmissionRegistry;
  let deps: ChangedDependencies;
  let reports: ReportDocuments;
  let shown: ChosenRequests | undefined;
  let said: string[];
  const id = randomUUID();
  const { showInformationMessage } = vscode.window;

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'changed-'));
    file = path.join(folder, 'requests.jsonl');
    writeFileSync(file, sent);
    shown = undefined;
    said = [];
    Object.assign(vscode.window, { showInformationMessage: async (message: string) => void said.push(message) });
    registry = createSubmissionRegistry({ folder: path.join(folder, 'registry'), log: { warn: () => undefined } });
    await registry.load();
    reports = new ReportDocuments('test-changed-report', () => '');
    const run = (name: string, input: unknown) =>
      name === 'hashRequests' ? hashRequests(input as HashSource, quiet) : findChanged(input as ChangedSource, quiet);
    deps = {
      registry,
      reports,
      jobs: { run },
      connections: { whenKnown: Promise.resolve(), current: { name: 'c' } },
      lifetime: new AbortController().signal,
      log: { error: () => undefined },
      showChosen: async (_: vscode.Uri, chosen: ChosenRequests) => {
        shown = chosen;
      },
    } as unknown as ChangedDependencies;
  });

  afterEach(() => {
    Object.assign(vscode.workspace, { textDocuments: [] });
    Object.assign(vscode.window, { showInformationMessage });
    reports.dispose();
    registry.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  async function answered(more: Partial<Submission> = {}): Promise<void> {
    const own = await registry.prepare(id);
    const linesPath = path.join(own, 'lines.tsv');
    writeFileSync(linesPath, '0\tkept\n1\tfailed\n2\tedited\n');
    const rawPath = path.join(own, 'results.jsonl');
    const line = (custom_id: string, type: string) => `${JSON.stringify({ custom_id, result: { type } })}\n`;
    writeFileSync(rawPath, line('kept', 'succeeded') + line('failed', 'errored') + line('edited', 'succeeded'));
    const joinedPath = path.join(folder, 'requests.results.jsonl');
    const { report } = await joinResults({ rawPath, linesPath, joinedPath, indexPath: path.join(own, 'results.index') }, quiet);
    await registry.save({
      id,
      connection: 'c',
      origin: 'https://service.test',
      source: vscode.Uri.file(file).toString(),
      fileBytes: Buffer.byteLength(sent),
      sha256: createHash('sha256').update(sent).digest('hex'),
      requestCount: 3,
      bodyBytes: 1,
      state: 'created',
      startedAt: new Date().toISOString(),
      batchId: 'batch_1',
      results: { joinedPath, fetchedAt: '', report },
      ...more,
    });
  }

  it('shows the sheet with what has no success, what changed in the editor and what is new', async () => {
    await answered();
    await createChanged(deps, vscode.Uri.file(file));
    assert.deepEqual([...(shown?.lines ?? [])], [1]);
    const lines = [request('new', 'a'), ...sent.split('\n').with(2, request('edited', 'b'))];
    const document = {
      uri: vscode.Uri.file(file),
      isDirty: true,
      version: 2,
      lineCount: lines.length,
      lineAt: (at: number) => ({ text: lines[at] }),
    };
    Object.assign(vscode.workspace, { textDocuments: [document] });
    await createChanged(deps, vscode.Uri.file(file));
    assert.deepEqual([...(shown?.lines ?? [])], [0, 2, 3]);
    assert.equal(shown?.sha256, createHash('sha256').update(lines.join('\n')).digest('hex'));
    assert.deepEqual(shown?.follows, { runId: id, purpose: 'changed' });
    assert.match(shown?.description ?? '', /1 new, 1 changed, 1 without success/);
  });

  it('compares nothing while a batch may still answer', async () => {
    await answered({ results: undefined as never, batch: { processing_status: 'in_progress' } as never });
    await assert.rejects(createChanged(deps, vscode.Uri.file(file)), /batch_1 .*has not ended yet/);
    assert.equal(shown, undefined);
  });

  it('shows no sheet when nothing changed, or when nothing was sent', async () => {
    await createChanged(deps, vscode.Uri.file(file));
    assert.equal(shown, undefined);
    assert.match(said.join(), /^Nothing of requests\.jsonl was sent over the connection c before/);
    await answered();
    await createChanged(deps, vscode.Uri.file(file));
    shown = undefined;
    writeFileSync(file, `${request('kept', 'a')}\n`);
    await createChanged(deps, vscode.Uri.file(file));
    assert.equal(shown, undefined);
    assert.match(said.at(-1) ?? '', /There is nothing to send\.$/);
  });

  it('says of a file that was saved before its requests were kept that nobody knows what they said', async () => {
    await answered();
    writeFileSync(file, `${request('kept', 'a')}\n`);
    await createChanged(deps, vscode.Uri.file(file));
    assert.match(shown?.description ?? '', /1 sent before, nobody knows with which words/);
  });

  it('takes what was chosen for stale over another connection, and once more of the file was sent', async () => {
    await answered();
    const target = vscode.Uri.file(file);
    await createChanged(deps, target);
    const chosen = shown;
    assert.ok(chosen);
    const content = await prepareContent(registry, target);
    const changesOver = async (name: string) => {
      const connection = { name };
      const about = { target, chosen, registry, connections: { current: connection }, rules: { options: () => ({ severities: {} }) } };
      const checked = {
        content,
        report: { sha256: chosen.sha256 },
        destination: { connection, origin: 'https://service.test' },
        severities: '{}',
      };
      return await findChanges(about as unknown as Parameters<typeof findChanges>[0], checked as unknown as Checked, 'estimate');
    };
    assert.deepEqual(await changesOver('c'), []);
    assert.match((await changesOver('other')).join(), /chosen by what was answered over the connection c/);
    const { results: _none, ...before } = registry.find(id) ?? assert.fail();
    await registry.save({
      ...before,
      id: randomUUID(),
      batchId: 'batch_2',
      source: 'file:///retry.jsonl',
      follows: { runId: id, purpose: 'retry' },
    });
    assert.match((await changesOver('c')).join(), /were sent since these were chosen/);
  });
});
