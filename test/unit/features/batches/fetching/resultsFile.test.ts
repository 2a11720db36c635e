import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { type ResultsFileDependencies, updateResultsFile } from '../../../../../src/features/batches/fetching/resultsFile';
import { finalResultsOf, type Run, resultsOf, runOf, toRuns } from '../../../../../src/features/ledger/runs';
import type { Submission } from '../../../../../src/features/ledger/submission';
import type { SubmissionRegistry } from '../../../../../src/features/ledger/submissionRegistry';
import { stampOfFile } from '../../../../../src/jsonl/files/publishing';
import type { MergeSource } from '../../../../../src/jsonl/merging/mergedAnswers';
import { mergeResults } from '../../../../../src/jsonl/merging/mergeResults';
import { joinResults } from '../../../../../src/jsonl/results/resultsJoin';
import { useFolder } from '../../../../helpers/useFolder';
import { recordOf, useLedger } from '../../ledger/ledgerOfTest';

const quiet = { throwIfAborted: () => {}, progress: () => {} };

describe('features/batches/fetching/resultsFile', () => {
  const ledger = useLedger();
  const file = useFolder();
  let registry: SubmissionRegistry;
  let deps: ResultsFileDependencies;
  let merged: MergeSource[];
  let day: number;

  beforeEach(async () => {
    registry = ledger.open(() => undefined);
    await registry.load();
    day = 0;
    merged = [];
    deps = {
      registry,
      log: { info: () => undefined },
      jobs: {
        run: async (name: string, input: MergeSource) => {
          if (name === 'restoreLines') {
            return 'whole';
          }
          assert.equal(name, 'mergeResults');
          merged.push(input);
          return await mergeResults(input, quiet);
        },
      } as never,
    };
  });

  const read = (name: string) => readFileSync(file(name), 'utf8');
  const wanted = 'a.results.jsonl';
  const archived = (date: number) => path.join('.managed-agents', 'a', `2026-01-0${date}T10-00-00.results.jsonl`);

  /** Saves a run that started a day after the previous run. `results` says for each id whether the request succeeded. */
  async function runWith(results: Readonly<Record<string, boolean>>, more: Partial<Submission> = {}): Promise<Run> {
    const id = randomUUID();
    const own = await registry.prepare(id);
    const inOwn = (name: string) => path.join(own, name);
    const ids = Object.keys(results);
    writeFileSync(inOwn('lines.tsv'), ids.map(one => `${'abc'.indexOf(one)}\t${one}\n`).join(''));
    const of = `${++day}`;
    const lineOf = (one: string) => {
      const answer = { model: 'm', content: [{ type: 'text', text: of }], stop_reason: 'end_turn', usage: {} };
      return JSON.stringify({ custom_id: one, result: results[one] ? { type: 'succeeded', message: answer } : { type: 'expired' } });
    };
    writeFileSync(inOwn('results.jsonl'), ids.map(one => `${lineOf(one)}\n`).join(''));
    const paths = { rawPath: inOwn('results.jsonl'), joinedPath: inOwn('joined.jsonl'), indexPath: inOwn('results.index') };
    const { report, joinedPath } = await joinResults({ ...paths, linesPath: inOwn('lines.tsv') }, quiet);
    const submission = recordOf({
      ...{ id, batchId: id, source: vscode.Uri.file(file('a.jsonl')).toString(), sha256: 'v1', requestCount: ids.length, state: 'created' },
      ...{ startedAt: `2026-01-0${day}T10:00:00.123Z`, results: { joinedPath, fetchedAt: new Date().toISOString(), report } },
      ...more,
    });
    await registry.save(submission);
    return runNamed(id);
  }

  function runNamed(id: string): Run {
    return runOf(registry.all(), registry.find(id) ?? assert.fail()) ?? assert.fail();
  }

  const update = async (run: Run) => await updateResultsFile(deps, run);
  /** Returns the run number of each answer in a results file, by id. */
  const answersIn = (name: string) =>
    read(name)
      .trim()
      .split('\n')
      .map(line => {
        const { custom_id: id, result } = JSON.parse(line);
        return `${id}${result.message?.content[0].text ?? '-'}`;
      })
      .join(' ');
  const all = { a: true, b: false, c: true };
  const follow = (run: Run, purpose: 'retry' | 'rest' | 'changed') => ({ follows: { runId: run.id, purpose } });
  const trial = { selection: { purpose: 'canary', firstLine: 0, lastLine: 0, digest: '' } } as const;

  it('contains the best result of every request of a run and of the runs that completed it', async () => {
    const first = await runWith(all);
    assert.deepEqual(
      [(await update(first))?.file, answersIn(wanted), merged.length],
      [file(wanted), 'a1 b- c1', 0],
      'a single run needs no merging',
    );
    const retry = await runWith({ b: true, c: false }, { ...follow(first, 'retry'), source: 'file:///a.retry.jsonl' });
    const best = await update(retry);
    assert.deepEqual([best?.file, answersIn(wanted), best?.movedTo], [file(wanted), 'a1 b2 c1', undefined]);
    assert.equal(best?.results.report.counts.succeeded, 3);
    const runs = toRuns(registry.all());
    assert.equal(finalResultsOf(runs, runNamed(retry.id))?.filePath, file(wanted));
    assert.notEqual(resultsOf(runNamed(first.id))?.filePath, file(wanted), 'the run alone has its own results in the ledger');
    await update(runNamed(first.id));
    assert.equal(merged.length, 1, 'nothing is merged twice');
    assert.deepEqual(readdirSync(file()).sort(), [wanted]);
  });

  it('is merged again when other results arrive, and excludes forgotten ones', async () => {
    const first = await runWith(all);
    const retry = await runWith({ b: true }, follow(first, 'retry'));
    await update(retry);
    await registry.update(retry.id, { results: { ...(retry.lead.results ?? assert.fail()), fetchedAt: '2999-01-01T00:00:00Z' } });
    await update(runNamed(first.id));
    assert.equal(merged.length, 2);
    await registry.remove([retry.id]);
    await update(runNamed(first.id));
    assert.deepEqual([answersIn(wanted), runNamed(first.id).lead.merged], ['a1 b- c1', undefined]);
  });

  it("isn't written before the oldest run has results", async () => {
    const first = await runWith(all, { results: undefined as never });
    assert.equal(await update(await runWith({ b: true }, follow(first, 'retry'))), undefined);
    assert.equal(existsSync(file(wanted)), false);
  });

  it('moves the file of an earlier full run away, also when that is fetched or completed later', async () => {
    const first = await runWith(all);
    await update(first);
    const second = await runWith(all);
    const best = await update(second);
    assert.deepEqual([best?.movedTo, answersIn(archived(1)), answersIn(wanted)], [file(archived(1)), 'a1 b- c1', 'a2 b- c2']);
    await update(await runWith({ b: true }, follow(first, 'retry')));
    assert.deepEqual([answersIn(archived(1)), answersIn(wanted)], ['a1 b3 c1', 'a2 b- c2']);
    const fourth = await runWith(all);
    const fifth = await runWith(all);
    await update(fifth);
    await update(fourth);
    assert.deepEqual([answersIn(archived(2)), answersIn(archived(4)), answersIn(wanted)], ['a2 b- c2', 'a4 b- c4', 'a5 b- c5']);
    mkdirSync(path.dirname(file(archived(5))), { recursive: true });
    writeFileSync(file(archived(5)), 'mine');
    await update(await runWith(all));
    assert.deepEqual([read(archived(5)), answersIn(archived(5).replace('results', 'results-2'))], ['mine', 'a5 b- c5']);
  });

  it("isn't replaced by a trial, but by the trial with its rest", async () => {
    const lone = await runWith({ a: true }, trial);
    assert.equal((await update(lone))?.file, file(wanted), 'nothing else is there');
    await update(await runWith(all));
    assert.equal(answersIn(archived(1)), 'a1');
    const second = await runWith({ a: true }, trial);
    assert.equal((await update(second))?.file, undefined);
    const rest = { selection: { purpose: 'rest', firstLine: 1, lastLine: 2, digest: '' }, ...follow(second, 'rest') } as const;
    await update(await runWith({ b: true, c: true }, rest));
    assert.deepEqual([answersIn(wanted), answersIn(archived(2))], ['a3 b4 c4', 'a2 b- c2']);
  });

  it('never replaces a file that the user changed or wrote, and is written again after it was deleted', async () => {
    const first = await runWith(all);
    await update(first);
    writeFileSync(file(wanted), 'as it was written, with a remark');
    await update(await runWith({ b: true }, follow(first, 'retry')));
    const beside = 'a.results-2.jsonl';
    assert.deepEqual([read(wanted), answersIn(beside)], ['as it was written, with a remark', 'a1 b2 c1']);
    rmSync(file(beside));
    await update(runNamed(first.id));
    assert.equal(answersIn(beside), 'a1 b2 c1');
    await update(await runWith(all));
    assert.deepEqual([read(wanted), answersIn('a.results-3.jsonl')], ['as it was written, with a remark', 'a3 b- c3']);
  });

  it('recognizes its own file without its record', async () => {
    const first = await runWith(all);
    await update(first);
    await registry.update(first.id, { resultsFile: undefined });
    assert.equal((await update(runNamed(first.id)))?.file, file(wanted));
    assert.deepEqual(readdirSync(file()).sort(), [wanted]);
  });

  it('moves the file of an earlier run even if its content is the same', async () => {
    await update(await runWith({ b: false }));
    await update(await runWith({ b: false }));
    assert.deepEqual([answersIn(archived(1)), answersIn(wanted)], ['b-', 'b-']);
  });

  it('stays in the ledger if nothing can be written beside the request file', async () => {
    const elsewhere = await runWith(all, { source: 'untitled:a.jsonl' });
    assert.equal((await update(elsewhere))?.file, undefined);
  });

  it('keeps joined results of earlier versions, and moves them for a new run', async () => {
    const old = await runWith(all);
    const results = old.lead.results ?? assert.fail();
    writeFileSync(file(wanted), readFileSync(results.joinedPath));
    await registry.update(old.id, { results: { ...results, joinedPath: file(wanted), stamp: await stampOfFile(file(wanted)) } });
    assert.equal((await update(runNamed(old.id)))?.file, file(wanted));
    await update(await runWith(all));
    assert.deepEqual([resultsOf(runNamed(old.id))?.joinedPath, answersIn(wanted)], [file(archived(1)), 'a2 b- c2']);
  });

  it("passes each run's request text to the merge, hashed only if it may have changed, without failed parts", async () => {
    const source = vscode.Uri.file(file('a.jsonl')).toString();
    const made = [{ source: 'file:///r.jsonl', sha256: 'made', purpose: 'retry', madeAt: '' }] as const;
    const root = await runWith(all, { made });
    const retry = await runWith({ b: true }, { ...follow(root, 'retry'), sha256: 'made' });
    const wordsOf = (source: MergeSource | undefined) => source?.generations.map(({ words, isRetry }) => [words, isRetry]);
    await update(retry);
    assert.deepEqual(wordsOf(merged.at(-1)), [
      [[{ sha256: 'v1' }], false],
      [[{ sha256: 'made' }], true],
    ]);
    const changed = await runWith({ b: true }, { ...follow(root, 'changed'), sha256: 'v2' });
    writeFileSync(path.join(registry.folder(changed.id), 'requests.hash'), Buffer.alloc(8));
    await update(changed);
    const hashesPath = path.join(registry.folder(changed.id), 'requests.hash');
    assert.deepEqual(wordsOf(merged.at(-1))?.[2], [[{ sha256: 'v2', hashesPath }], false]);

    const group = (index: number) => ({ group: { id: 'g', index, count: 2 }, source });
    const lead = await runWith(all, group(0));
    await registry.update(lead.id, { groupResults: lead.lead.results ?? assert.fail() });
    writeFileSync(path.join(registry.folder(lead.id), 'group.index'), readFileSync(path.join(registry.folder(lead.id), 'results.index')));
    await runWith({ a: true }, { ...group(1), state: 'failed', results: undefined as never });
    await update(await runWith({ b: true }, follow(lead, 'changed')));
    assert.deepEqual(
      merged.at(-1)?.generations.map(({ linesPaths }) => linesPaths.length),
      [1, 1],
    );
  });
});
