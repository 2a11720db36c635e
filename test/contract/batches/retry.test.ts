import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { BatchDependencies } from '../../../src/features/batches/batchDependencies';
import { fetchResults } from '../../../src/features/batches/fetching/fetchResults';
import { updateResultsFile } from '../../../src/features/batches/fetching/resultsFile';
import { type RetrySources, retrySourcesOf } from '../../../src/features/batches/retrying/retryPresentation';
import { type Choices, findChoices } from '../../../src/features/batches/sheet/choices';
import { type Outgoing, prepareRetry, toOutgoing } from '../../../src/features/batches/sheet/preparedContent';
import { SheetKnowledge } from '../../../src/features/batches/sheet/sheetKnowledge';
import type { SubmitRequest } from '../../../src/features/batches/submitting/submit';
import { finalResultsOf, noteRetryFile, runOf, toRuns } from '../../../src/features/ledger/runs';
import type { Follows, Submission } from '../../../src/features/ledger/submission';
import { submissionFiles } from '../../../src/features/ledger/submissionFile';
import { SentRequests } from '../../../src/features/results/panel/sentRequest';
import { findShown } from '../../../src/features/results/shownResults';
import { ResultsIndex } from '../../../src/jsonl/results/resultsIndex';
import type { RetryPlan } from '../../../src/jsonl/retrying/planRetry';
import type { SheetWish } from '../../../src/shared/sheet/sheetProtocol';
import { fieldOf } from '../../helpers/fieldOf';
import { Bench, limits, terms } from './batchBench';

describe('features/batches/retrying over a socket', () => {
  const bench = new Bench({ batchDuration: 0 });
  const { jobs } = bench;
  const lifetime = new AbortController();
  let { emulator, client, folder, registry } = bench;

  beforeEach(() => {
    ({ emulator, client, folder, registry } = bench);
  });

  const request = (id: string, more: object = {}) => ({
    custom_id: id,
    params: { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: `Say ${id}.` }], ...more },
  });

  async function send(file: string, change?: Partial<SubmitRequest>): Promise<Submission> {
    const outcome = await bench.submit(file, change);
    assert.ok(outcome.kind === 'created', JSON.stringify(outcome));
    return outcome.submission;
  }

  const toSource = (file: string) => vscode.Uri.file(file).toString();

  function deps(): BatchDependencies {
    const log = { info: () => undefined, warn: assert.fail, error: assert.fail };
    const rules = { options: () => terms.rules, models: () => undefined };
    return { registry, jobs, rules, log, lifetime: lifetime.signal } as unknown as BatchDependencies;
  }

  /** Returns the choices in the sheet of a file. */
  async function choicesOf(file: string): Promise<Choices> {
    const service = { connection: 'Lab', origin: new URL(client.baseUrl).origin };
    return await findChoices(deps(), { source: toSource(file), path: file, service, runId: undefined }, lifetime.signal);
  }

  /** Sends the content that a file's sheet has prepared. */
  async function sendRetry({ content, report, follows, selected, purpose }: Outgoing, file: string): Promise<Submission> {
    if (follows?.purpose === 'retry') {
      await noteRetryFile(registry, follows.runId, { source: toSource(content.path), sha256: report.sha256 });
    }
    return await send(file, {
      ...{ ...content, report },
      ...(follows && { follows }),
      ...(selected && { selection: { purpose, requests: selected } }),
    });
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
    const sources = run && retrySourcesOf(toRuns(registry.all()), run, registry);
    assert.ok(sources !== undefined);
    return { ...(await jobs.run('planRetry', { ...sources.plan, mostTokens: [], now: Date.now() })), sources };
  }

  it('retries failures by cause with their fixes until every request has a result', async () => {
    const ids = Array.from({ length: 40 }, (_, n) => `r${n}`);
    const lines = [...ids.map(id => request(id)), request('hot', { model: 'vendor-opus-5', temperature: 0.5 })];
    const file = bench.write(...lines);
    emulator.setScenario({ erroredPercent: 20, expiredPercent: 10, cutShortPercent: 10 });
    const first = await fetch(await send(file));
    emulator.setScenario({ erroredPercent: 0, expiredPercent: 0, cutShortPercent: 0 });

    const { retry } = await choicesOf(file);
    assert.ok(retry !== undefined);
    assert.deepEqual(
      retry.plan.groups.map(group => [group.kind, group.errorType, group.action, retry.choice.has(group)]).sort(),
      [
        ['cut_short', undefined, 'raise_max_tokens', true],
        ['failed', 'invalid_request_error', 'edit', false],
        ['failed', 'overloaded_error', 'resend', true],
        ['expired', undefined, 'resend', true],
      ].sort(),
    );
    const troubled = retry.plan.groups.reduce((sum, { count }) => sum + count, 0);
    assert.equal(retry.plan.kept + troubled, lines.length);
    for (const group of retry.plan.groups) {
      retry.choice.choose(group, true);
    }

    const source = readFileSync(file, 'utf8');
    const outgoing = await prepareRetry(deps(), retry, toSource(file), terms, { signal: lifetime.signal });
    assert.equal(readFileSync(file, 'utf8'), source, 'the file stays as it is');
    assert.equal(outgoing.requestCount, troubled);
    const byId = new Map(lines.map(line => [line.custom_id, line]));
    const sent = readFileSync(outgoing.content.path, 'utf8').trim().split('\n');
    for (const [at, line] of sent.entries()) {
      const { custom_id: id, params } = JSON.parse(line);
      const { temperature: _, ...mended } = { ...byId.get(id)?.params, max_tokens: params.max_tokens } as Record<string, unknown>;
      assert.deepEqual(params, mended);
      assert.ok(params.max_tokens === 64 || params.max_tokens === 256, line);
      assert.equal(lines[outgoing.fileLines?.[at] ?? -1]?.custom_id, id, 'it leads to its line of the file');
    }
    const again = await sendRetry(outgoing, file);
    assert.deepEqual(again.follows, { runId: first.id, purpose: 'retry' });

    const between = await plan(first);
    assert.deepEqual([between.underWay, between.groups.length], [troubled, 0], 'what is under way is not planned again');

    const second = await fetch(again);
    await choicesOf(file);
    assert.equal(existsSync(path.join(folder, 'requests.results.jsonl')), false, 'a sheet writes nothing beside the file');
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
    const shown = (await findShown(registry, { runId: first.id, withRetries: true })) ?? assert.fail();
    const { indexPath = '', joinedPath = '' } = shown.joined ?? {};
    const entry = (await ResultsIndex.open(indexPath, joinedPath)).entryOfId('hot') ?? assert.fail();
    const found = await new SentRequests({ registry, jobs }, shown).find(entry, lifetime.signal);
    assert.deepEqual([found?.line, found?.isSame], [lines.length - 1, true], 'it is shown as it was sent, at its line of the file');
    assert.doesNotMatch(found?.params ?? '', /temperature/);

    const done = await plan(second);
    assert.deepEqual([done.kept, done.groups.length, done.underWay], [lines.length, 0, 0]);
  });

  it('offers changed requests, except while a batch may still return them or their results are elsewhere', async () => {
    const file = bench.file();
    bench.write(request('kept'), request('edited'));
    assert.deepEqual(await choicesOf(file), {
      ...{ stamp: '', follows: undefined, rest: undefined, changed: undefined, retry: undefined, trial: undefined, note: undefined },
      unfetched: [],
    });
    const first = await send(file);
    assert.match((await choicesOf(file)).note ?? '', /hasn't ended/);
    await emulator.advanceClock(1_000);
    await registry.update(first.id, { batch: (await client.batches.retrieve(first.batchId ?? '')).data });
    assert.deepEqual(fieldOf((await choicesOf(file)).unfetched, 'id'), [first.id]);
    await fetch(first);
    assert.equal((await choicesOf(file)).changed, undefined, 'nothing changed');
    const before = (await choicesOf(file)).stamp;
    bench.write(request('new'), request('kept'), request('edited', { max_tokens: 65 }));
    const { changed, follows } = await choicesOf(file);
    assert.deepEqual([...(changed?.lines ?? [])], [0, 2]);
    assert.deepEqual(changed?.counts, { new: 1, changed: 1, failed: 0, unknown: 0, kept: 1 });
    assert.deepEqual(follows, { runId: first.id, purpose: 'changed' });
    const report = await jobs.checkFile(file, terms);
    const content = { submissionId: randomUUID(), path: file, fromEditor: false };
    const chosen = { purpose: 'changed', lines: changed?.lines ?? assert.fail() } as const;
    await sendRetry(toOutgoing(jobs, { content, report, limits, chosen, follows }), file);
    assert.notEqual((await choicesOf(file)).stamp, before);
  });

  it('maps requests of a retry of several runs to their lines in the file', async () => {
    const lines = Array.from({ length: 20 }, (_, n) => request(`r${n}`));
    const file = bench.write(...lines);
    const report = await jobs.checkFile(file, terms);
    emulator.setScenario({ erroredPercent: 100 });
    const [trial, rest] = [Uint32Array.of(4, 12), Uint32Array.from(lines.keys()).filter(line => line !== 4 && line !== 12)];
    let follows: Follows | undefined;
    for (const [purpose, chosen] of [['canary', trial] as const, ['rest', rest] as const]) {
      const content = { submissionId: randomUUID(), path: file, fromEditor: false };
      const sent = await sendRetry(toOutgoing(jobs, { content, report, limits, chosen: { purpose, lines: chosen }, follows }), file);
      await fetch(sent);
      follows = { runId: sent.id, purpose: 'rest' };
    }
    const { retry } = await choicesOf(file);
    assert.ok(retry !== undefined);
    const outgoing = await prepareRetry(deps(), retry, toSource(file), terms, { signal: lifetime.signal });
    const written = readFileSync(outgoing.content.path, 'utf8').trim().split('\n');
    assert.equal(written.length, 20);
    assert.deepEqual(
      written.map((_, at) => lines[outgoing.fileLines?.[at] ?? -1]?.custom_id),
      written.map(line => JSON.parse(line).custom_id),
    );
  });

  describe('in a sheet', () => {
    let isSending = false;

    /** Returns the model of a sheet that was opened with `wish`, after its check. */
    async function openSheet(file: string, wish?: SheetWish): Promise<SheetKnowledge> {
      const connection = { name: 'Lab', baseUrl: client.baseUrl, limits, isEmulator: false };
      const connections = { current: connection, state: 'ready', reason: undefined };
      const knowledge = new SheetKnowledge(
        {
          ...{ target: vscode.Uri.file(file), wish, lifetime: lifetime.signal },
          deps: { ...deps(), connections } as unknown as BatchDependencies,
          isSending: () => isSending,
          onReady: () => undefined,
          onChange: () => undefined,
          onProgress: () => undefined,
          onPrepared: () => undefined,
        },
        true,
      );
      const url = new URL(client.baseUrl);
      await knowledge.check(true, { connection: connection as never, host: url.host, origin: url.origin, baseUrl: client.baseUrl, limits });
      return knowledge;
    }

    const requests = [
      ...Array.from({ length: 12 }, (_, n) => request(`r${n}`)),
      request('hot', { model: 'vendor-opus-5', temperature: 0.5 }),
    ];

    async function withFailures(): Promise<string> {
      const file = bench.write(...requests);
      emulator.setScenario({ erroredPercent: 50 });
      await fetch(await send(file));
      emulator.setScenario({ erroredPercent: 0 });
      return file;
    }

    /** Returns the folders of submissions that were prepared but not sent. */
    const prepared = () =>
      readdirSync(path.join(folder, 'registry')).filter(name =>
        existsSync(path.join(folder, 'registry', name, submissionFiles.editorCopy)),
      );

    it('follows the choice and the causes, and leaves no copies of requests behind', async () => {
      const file = await withFailures();
      const knowledge = await openSheet(file);
      const count = () => knowledge.outgoing?.requestCount;
      assert.deepEqual([knowledge.choice, count()], ['all', requests.length]);
      const retry = knowledge.choices?.retry ?? assert.fail();
      const sensible = retry.choice.count;
      const { revision } = knowledge;
      await knowledge.choose({ choice: 'retry' });
      assert.equal(count(), sensible);
      assert.ok(knowledge.revision > revision);
      const hot = retry.plan.groups.find(({ action }) => action === 'edit') ?? assert.fail();
      retry.choice.choose(hot, true);
      await knowledge.prepareAgain();
      assert.equal(count(), sensible + 1);
      isSending = true;
      retry.choice.choose(hot, false);
      await knowledge.prepareAgain();
      isSending = false;
      assert.equal(count(), sensible + 1, 'what is being sent stays');
      assert.equal(prepared().length, 1, 'of the copies the last one');
      for (const group of retry.plan.groups) {
        retry.choice.choose(group, false);
      }
      await knowledge.prepareAgain();
      assert.equal(count(), undefined);
      await knowledge.choose({ choice: 'trial', size: 3 });
      assert.equal(count(), 3);
      assert.deepEqual(knowledge.wish, { choice: 'trial', size: 3, runId: undefined });
      knowledge.discard();
      assert.deepEqual(prepared(), []);
    });

    it("doesn't resend what another window sent meanwhile, and then has nothing left to send", async () => {
      const file = await withFailures();
      const [one, other] = [await openSheet(file, { choice: 'retry' }), await openSheet(file, { choice: 'retry' })];
      for (const sheet of [one, other]) {
        for (const group of sheet.choices?.retry?.plan.groups ?? []) {
          sheet.choices?.retry?.choice.choose(group, true);
        }
        await sheet.prepareAgain();
      }
      assert.equal(await other.isStillTrue(), true);
      await sendRetry(one.outgoing ?? assert.fail(), file);
      assert.equal(await other.isStillTrue(), false);
      assert.match(other.notice ?? '', /Nothing was sent/);
      await other.refreshRuns();
      assert.deepEqual([other.choice, other.outgoing], [undefined, undefined]);
      await other.choose({ choice: 'all' });
      assert.deepEqual(fieldOf(other.repeats, 'requestCount'), [requests.length], 'the whole file is told to be sent again');
      one.discard();
      other.discard();
    });

    it('starts with the rest after a trial, or with all requests on demand', async () => {
      const file = bench.write(...requests.slice(0, 12));
      const before = await openSheet(file, { choice: 'trial', size: 4 });
      await fetch(await sendRetry(before.outgoing ?? assert.fail(), file));
      const after = await openSheet(file);
      const { rest, trial, changed } = after.choices ?? assert.fail();
      assert.deepEqual([rest?.lines.length, trial?.succeeded, trial?.sampled, changed], [8, 4, 4, undefined]);
      assert.deepEqual([after.choice, after.outgoing?.follows?.purpose], ['rest', 'rest']);
      assert.equal((await openSheet(file, { choice: 'all' })).outgoing?.requestCount, 12);
      assert.equal((await openSheet(file, { choice: 'changed' })).choice, 'rest', 'nothing else is left');
      await sendRetry(after.outgoing ?? assert.fail(), file);
      const now = await choicesOf(file);
      assert.deepEqual([now.rest, now.trial], [undefined, undefined]);
    });
  });
});
