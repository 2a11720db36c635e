import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServiceClient } from '../../../src/client/createServiceClient';
import { dialects } from '../../../src/client/dialect';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { systemClock } from '../../../src/common/clock';
import type { Emulator } from '../../../src/emulator/emulator';
import { startEmulator } from '../../../src/emulator/server';
import { fetchResults } from '../../../src/features/batches/fetching/fetchResults';
import { updateResultsFile } from '../../../src/features/batches/fetching/resultsFile';
import { proposedAct } from '../../../src/features/batches/retrying/retryPresentation';
import { type RetrySources, retrySourcesOf } from '../../../src/features/batches/retrying/retrySources';
import { submit } from '../../../src/features/batches/submitting/submit';
import { createSubmissionRegistry } from '../../../src/features/ledger/createSubmissionRegistry';
import { noteMade } from '../../../src/features/ledger/noteMade';
import { finalResultsOf, runOf, toRuns } from '../../../src/features/ledger/runs';
import type { Submission } from '../../../src/features/ledger/submission';
import { submissionFiles } from '../../../src/features/ledger/submissionFile';
import type { SubmissionRegistry } from '../../../src/features/ledger/submissionRegistry';
import { createJsonlJobs } from '../../../src/jsonl/jobs/jobsHost';
import type { RetryPlan } from '../../../src/jsonl/retrying/retryingJobs';
import { contractRules } from '../../../src/jsonl/rules/ruleOptions';

const limits = { maxRequests: 100_000, maxBytes: 256 * 1024 * 1024 };

describe('features/batches/retrying over a socket', () => {
  const jobs = createJsonlJobs({ threadFile: path.join(process.env.TEST_BUILD ?? '', 'jsonlThread.js') });
  const lifetime = new AbortController();
  let emulator: Emulator;
  let client: ServiceClient;
  let folder: string;
  let registry: SubmissionRegistry;

  beforeEach(async () => {
    emulator = await startEmulator({ scenario: { batchDuration: 0 } });
    client = createServiceClient({
      baseUrl: emulator.url,
      auth: 'x-api-key',
      dialect: dialects.contract,
      credential: async () => ({ key: emulator.key, origin: new URL(emulator.url).origin }),
    });
    folder = mkdtempSync(path.join(tmpdir(), 'retry-'));
    registry = createSubmissionRegistry({ folder: path.join(folder, 'registry'), log: { warn: () => undefined } });
    await registry.load();
  });

  afterEach(async () => {
    registry.dispose();
    await client.close();
    await emulator.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const request = (id: string, more: object = {}) => ({
    custom_id: id,
    params: { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: `Say ${id}.` }], ...more },
  });

  async function send(file: string): Promise<Submission> {
    const report = await jobs.checkFile(file, { limits, rules: contractRules() });
    const outcome = await submit(
      { registry, jobs, clock: systemClock, log: { info: () => undefined, error: () => undefined } },
      {
        submissionId: randomUUID(),
        connection: 'Lab',
        client,
        source: `file://${file}`,
        path: file,
        fromEditor: false,
        report,
        knownBefore: new Set(),
      },
      { signal: lifetime.signal },
    );
    assert.ok(outcome.kind === 'created', JSON.stringify(outcome));
    return outcome.submission;
  }

  async function fetch({ id, batchId = '' }: Submission): Promise<Submission> {
    await emulator.advanceClock(1_000);
    const { data: batch } = await client.batches.retrieve(batchId);
    const inFolder = (file: string) => path.join(registry.folder(id), file);
    const joinedPath = inFolder(submissionFiles.joinedResults);
    const { report } = await fetchResults({
      client,
      batch,
      jobs,
      joinedPath,
      rawPath: inFolder(submissionFiles.rawResults),
      indexPath: inFolder(submissionFiles.resultsIndex),
      linesPath: inFolder(submissionFiles.lines),
    });
    return await registry.update(id, { batch, results: { joinedPath, fetchedAt: new Date().toISOString(), report } });
  }

  async function plan(submission: Submission): Promise<RetryPlan & { readonly sources: RetrySources }> {
    const run = runOf(registry.all(), submission);
    const sources = run && retrySourcesOf(toRuns(registry.all()), run, registry, source => source.replace('file://', ''));
    assert.ok(sources !== undefined);
    return { ...(await jobs.run('planRetry', { ...sources.plan, mostTokens: [], now: Date.now() })), sources };
  }

  it('goes from a batch with failures by plan, retry file and second batch to a final set that is complete', async () => {
    const file = path.join(folder, 'requests.jsonl');
    const ids = Array.from({ length: 40 }, (_, n) => `r${n}`);
    const lines = [...ids.map(id => request(id)), request('hot', { model: 'vendor-opus-5', temperature: 0.5 })];
    writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
    emulator.setScenario({ erroredPercent: 20, expiredPercent: 10, cutShortPercent: 10 });
    const first = await fetch(await send(file));
    emulator.setScenario({ erroredPercent: 0, expiredPercent: 0, cutShortPercent: 0 });

    const planned = await plan(first);
    assert.deepEqual(
      planned.groups.map(({ kind, errorType, action, isSensible }) => [kind, errorType, action, isSensible]).sort(),
      [
        ['cut_short', undefined, 'raise_max_tokens', true],
        ['failed', 'invalid_request_error', 'edit', false],
        ['failed', 'overloaded_error', 'resend', true],
        ['expired', undefined, 'resend', true],
      ].sort(),
    );
    const troubled = planned.groups.reduce((sum, { count }) => sum + count, 0);
    assert.equal(planned.kept + troubled, lines.length);

    const outPath = path.join(folder, 'requests.retry.jsonl');
    const groups = planned.groups.map(group => ({ change: proposedAct(group).change, places: group.places }));
    const written = await jobs.run('writeRetry', { files: planned.sources.plan.files, groups, outPath });
    assert.equal(written.written, troubled);
    const byId = new Map(lines.map(line => [line.custom_id, line]));
    for (const line of readFileSync(outPath, 'utf8').trim().split('\n')) {
      const { custom_id: id, params } = JSON.parse(line);
      const { temperature: _, ...mended } = { ...byId.get(id)?.params, max_tokens: params.max_tokens } as Record<string, unknown>;
      assert.deepEqual(params, mended);
      assert.ok(params.max_tokens === 64 || params.max_tokens === 256, line);
    }
    await noteMade(registry, first.id, {
      source: `file://${outPath}`,
      sha256: written.sha256,
      purpose: 'retry',
      madeAt: '2026-01-01T00:00:00Z',
    });
    const again = await send(outPath);
    assert.deepEqual(again.follows, { runId: first.id, purpose: 'retry' });

    const between = await plan(first);
    assert.deepEqual([between.underWay, between.groups.length], [troubled, 0], 'what is under way is not planned again');

    const second = await fetch(again);
    const best = await updateResultsFile(
      { jobs, registry, log: { info: () => undefined } },
      runOf(registry.all(), second) ?? assert.fail(),
    );
    assert.equal(best?.file, path.join(folder, 'requests.results.jsonl'));
    const runs = toRuns(registry.all());
    const run = runs.find(({ id }) => id === first.id);
    const final = run && finalResultsOf(runs, run);
    assert.equal(final?.filePath, best.file);
    assert.equal(final?.report.counts.succeeded, lines.length);
    assert.ok(final?.report.complete);
    assert.deepEqual(
      readFileSync(final.filePath, 'utf8')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).custom_id),
      lines.map(({ custom_id }) => custom_id),
    );
    assert.ok(existsSync(path.join(registry.folder(first.id), submissionFiles.mergedHistory)));

    const done = await plan(second);
    assert.deepEqual([done.kept, done.groups.length, done.underWay], [lines.length, 0, 0]);
  });
});
