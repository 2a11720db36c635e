import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Log } from '../../../../../src/common/log';
import type { Submission } from '../../../../../src/features/ledger/submission';
import { submissionFiles } from '../../../../../src/features/ledger/submissionFile';
import type { SubmissionRegistry } from '../../../../../src/features/ledger/submissionRegistry';
import { OpenResults, UnknownResults } from '../../../../../src/features/results/panel/openResults';
import { writeRequests } from '../../../../../src/features/results/panel/panelActs';
import { convertResults } from '../../../../../src/jsonl/converting/foreignResults';
import type { JsonlJobs } from '../../../../../src/jsonl/jobs/jobs';
import { mergeResults } from '../../../../../src/jsonl/merging/mergeResults';
import type { WantedFileLine } from '../../../../../src/jsonl/pretty/lineInFile';
import { findLine } from '../../../../../src/jsonl/pretty/lineInFile';
import type { JoinSource } from '../../../../../src/jsonl/results/joinedResults';
import { joinResults } from '../../../../../src/jsonl/results/resultsJoin';
import { type RetryWriteSource, writeRetry } from '../../../../../src/jsonl/retrying/writeRetry';
import { MemoryRegistry } from '../../../../helpers/memoryRegistry';
import { useFolder } from '../../../../helpers/useFolder';

const quiet = { throwIfAborted: () => {}, progress: () => {} };
const requestOf = (id: string, words: string) =>
  JSON.stringify({ custom_id: id, params: { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: words }] } });
const succeeded = (text: string) => ({
  type: 'succeeded',
  message: { content: [{ type: 'text', text }], stop_reason: 'end_turn', usage: { input_tokens: 2, output_tokens: 3 } },
});
const errored = { type: 'errored', error: { type: 'error', error: { type: 'api_error', message: 'Down.' } } };
const fileJobs: Pick<JsonlJobs, 'run'> = {
  run: async (name, input) =>
    (name === 'joinResults'
      ? await joinResults(input as JoinSource, quiet)
      : await convertResults(input as Parameters<typeof convertResults>[0], quiet)) as never,
};
type Answers = readonly (readonly [line: number, id: string, result: object])[];

describe('features/results/panel/openResults', () => {
  const folder = useFolder();
  let memory: MemoryRegistry;
  const opened: OpenResults[] = [];

  beforeEach(() => {
    memory = new MemoryRegistry();
  });

  afterEach(() => {
    for (const results of opened.splice(0)) {
      results.dispose();
    }
  });

  const registry = (): SubmissionRegistry =>
    Object.assign(memory, {
      load: async () => {},
      folder: (id: string) => folder(id),
      find: (id: string) => memory.saved.get(id),
    }) as unknown as SubmissionRegistry;
  const jobs = {
    run: async (name: string, input: unknown) => {
      if (name === 'findLine') {
        return findLine(input as WantedFileLine, quiet);
      }
      assert.equal(name, 'writeRetry');
      return await writeRetry(input as RetryWriteSource, quiet);
    },
  } as unknown as JsonlJobs;
  const openOf = async (source: ConstructorParameters<typeof OpenResults>[1]): Promise<OpenResults> => {
    const results = new OpenResults({ registry: registry(), jobs, log: { warn: () => {} } as unknown as Log }, source);
    opened.push(results);
    await results.opened;
    return results;
  };
  const open = (runId: string, withRetries = false) => openOf({ runId, withRetries });

  /** Saves a submission whose joined results are in the file `joined`. */
  async function fetched(id: string, file: string, joined: string, answers: Answers, more: Partial<Submission> = {}): Promise<Submission> {
    mkdirSync(folder(id), { recursive: true });
    const linesPath = folder(id, submissionFiles.lines);
    const rawPath = folder(id, submissionFiles.rawResults);
    writeFileSync(linesPath, answers.map(([line, customId]) => `${line}\t${customId}\n`).join(''));
    writeFileSync(rawPath, answers.map(([, custom_id, result]) => `${JSON.stringify({ custom_id, result })}\n`).join(''));
    const { report } = await joinResults(
      { rawPath, linesPath, joinedPath: folder(joined), indexPath: folder(id, submissionFiles.resultsIndex) },
      quiet,
    );
    const submission = {
      ...{ id, state: 'created', connection: 'Lab', batchId: `batch_${id}`, startedAt: `2026-01-01T00:00:0${memory.saved.size}.000Z` },
      ...{ source: vscode.Uri.file(folder(file)).toString(), sha256: '', requestCount: answers.length },
      results: { joinedPath: folder(joined), fetchedAt: new Date().toISOString(), report },
      ...more,
    } as Submission;
    memory.saved.set(id, submission);
    return submission;
  }

  async function merged(parts: readonly Submission[], joined: string, index: string, history?: string) {
    const joinedPath = folder(joined);
    const { report } = await mergeResults(
      {
        generations: parts.map(({ id, source, results }) => ({
          ...{ joinedPath: results?.joinedPath ?? '', indexPath: folder(id, submissionFiles.resultsIndex) },
          ...{ linesPaths: [folder(id, submissionFiles.lines)], isSameSource: source === parts[0]?.source },
        })),
        ...{ joinedPath, indexPath: folder(parts[0]?.id ?? '', index) },
        ...(history !== undefined && { historyPath: folder(parts[0]?.id ?? '', history) }),
      },
      quiet,
    );
    return { joinedPath, fetchedAt: '2026-01-01T01:00:00.000Z', report };
  }

  const wordsOf = async (results: OpenResults, row: number): Promise<readonly (string | undefined)[]> => {
    const entry = results.table?.index.entryOfRow(row) ?? assert.fail('no such row');
    const { customId, request, answer } = await results.pair(entry, new AbortController().signal);
    return [customId, request.parts[0]?.text, answer.parts[0]?.text];
  };

  it('are read from an unknown file, in its own order, and again when it is overwritten', async () => {
    const file = folder('theirs.results.jsonl');
    const lineOf = (custom_id: string, result: object, more: object = {}) => `${JSON.stringify({ custom_id, ...more, result })}\n`;
    writeFileSync(file, `${lineOf('b', succeeded('Second'), { line: 7 })}${lineOf('a', errored)}`);
    const results = await openOf(new UnknownResults(file, fileJobs, folder('storage')));
    assert.equal(results.table?.size, 2);
    assert.deepEqual(await wordsOf(results, 0), ['b', undefined, 'Second']);
    assert.equal(results.table?.index.entryOfRow(0)?.line, -1);
    const { name, problem, isUnknown, report } = results.head;
    assert.deepEqual([name, problem, isUnknown, report?.counts.errored], ['theirs.results.jsonl', undefined, true, 1]);
    assert.equal(results.path, file);
    assert.equal(results.exported?.source, vscode.Uri.file(file).toString());
    writeFileSync(file, lineOf('c', succeeded('Third answer')));
    await results.check();
    assert.equal(results.table?.index.entryOfRow(0)?.customId, 'c');
    writeFileSync(file, 'no results\n');
    await results.check();
    assert.equal(results.head.problem, 'notResults');
    rmSync(file);
    await results.check();
    assert.equal(results.head.problem, 'gone');
  });

  it("are read from another service's file, its failures as failures", async () => {
    const file = folder('output.jsonl');
    writeFileSync(file, readFileSync('test/fixtures/answers/03-openai-output.jsonl'));
    const results = await openOf(new UnknownResults(file, fileJobs, folder('storage')));
    const { counts, outputTokens } = results.head.report ?? assert.fail();
    assert.deepEqual([counts.succeeded, counts.errored, counts.expired, outputTokens], [1, 1, 1, 1]);
    assert.deepEqual(await wordsOf(results, 0), ['q-1', undefined, 'Blue']);
    assert.deepEqual(await wordsOf(results, 1), ['q-2', undefined, 'max_tokens is too large']);
    assert.equal(results.path, file);
  });

  it('are those of all parts of a group, whichever part is named, beside the requests of the whole file', async () => {
    writeFileSync(folder('big.jsonl'), ['a', 'b', 'c'].map(id => `${requestOf(id, `Ask ${id}`)}\n`).join(''));
    const part = (index: number) => ({ group: { id: 'g', index, count: 2 } });
    const one = await fetched(
      '1',
      'big.jsonl',
      'part-1',
      [
        [0, 'a', succeeded('A')],
        [1, 'b', errored],
      ],
      part(0),
    );
    const two = await fetched('2', 'big.jsonl', 'part-2', [[2, 'c', succeeded('C')]], part(1));
    memory.saved.set('1', { ...one, groupResults: await merged([one, two], 'big.results.jsonl', submissionFiles.groupIndex) });
    const results = await open('2');
    assert.deepEqual([results.head.parts, results.head.batchIds, results.table?.size], [2, ['batch_1', 'batch_2'], 3]);
    assert.deepEqual(await wordsOf(results, 0), ['a', 'Ask a', 'A']);
    assert.deepEqual(await wordsOf(results, 2), ['c', 'Ask c', 'C']);
    const { shown, table } = results;
    assert.ok(shown !== undefined && table !== undefined);
    const writing = { registry: registry(), jobs, lifetime: new AbortController().signal };
    const wrote = await writeRequests(writing, shown, table.joined, Uint32Array.of(2, 0), folder('some.jsonl'));
    assert.deepEqual(wrote, { written: 2, gone: 0, unknown: 0 });
    assert.equal(readFileSync(folder('some.jsonl'), 'utf8'), `${requestOf('a', 'Ask a')}\n${requestOf('c', 'Ask c')}\n`);
    assert.equal(memory.saved.get('1')?.made?.length, 1);
  });

  it('are those of the run alone, or with its retries: then each has its history and the last sent request', async () => {
    writeFileSync(folder('a.jsonl'), `${requestOf('a', 'First')}\n${requestOf('b', 'Second')}\n`);
    writeFileSync(folder('a.retry.jsonl'), `${requestOf('b', 'Second, again')}\n`);
    const one = await fetched('1', 'a.jsonl', 'a.results.jsonl', [
      [0, 'a', succeeded('A')],
      [1, 'b', errored],
    ]);
    const two = await fetched('2', 'a.retry.jsonl', 'a.retry.results.jsonl', [[0, 'b', succeeded('B')]], {
      follows: { runId: '1', purpose: 'retry' },
    });
    const all = await merged([one, two], 'a.merged.jsonl', submissionFiles.mergedIndex, submissionFiles.mergedHistory);
    memory.saved.set('1', { ...one, merged: { ...all, runIds: ['1', '2'] } });
    for (const id of ['1', '2']) {
      const alone = await open(id);
      assert.equal(alone.table?.size, id === '1' ? 2 : 1);
      assert.equal(alone.head.report, memory.saved.get(id)?.results?.report);
      assert.match(alone.head.name, id === '1' ? /^a\.jsonl \(All 2, / : /^a\.retry\.jsonl \(Retry of 1, /);
      const results = await open(id, true);
      assert.equal(results.head.name, 'a.jsonl - best of 2 runs');
      assert.equal(results.table?.size, 2);
      assert.deepEqual(await wordsOf(results, 1), ['b', 'Second, again', 'B']);
      const entry = results.table?.index.entryOfId('b') ?? assert.fail('no such id');
      const { history } = await results.pair(entry, new AbortController().signal);
      assert.deepEqual(history, ['Run 1: failed, api_error', 'Run 2: succeeded, end_turn (shown)']);
    }
  });

  it("are hidden as soon as another run's results replaced their file", async () => {
    writeFileSync(folder('a.jsonl'), `${requestOf('a', 'Ask')}\n`);
    await fetched('1', 'a.jsonl', 'a.results.jsonl', [[0, 'a', succeeded('Before')]]);
    const results = await open('1');
    assert.deepEqual(await wordsOf(results, 0), ['a', 'Ask', 'Before']);
    const told = new Promise<void>(resolve => results.onDidChange(resolve));
    await fetched('2', 'a.jsonl', 'a.results.jsonl', [[0, 'a', succeeded('After.')]]);
    await memory.update('2', {});
    await told;
    assert.deepEqual([results.head.problem, results.table], ['changed', undefined]);
  });

  it("aren't read if one answer is too long to be shown", async () => {
    await fetched('1', 'a.jsonl', 'a.results.jsonl', [[0, 'a', succeeded('long '.repeat(2_000_000))]]);
    const results = await open('1');
    const entry = results.table?.index.entryOfRow(0) ?? assert.fail('no such row');
    const { answer, row } = await results.pair(entry, new AbortController().signal);
    assert.deepEqual([answer.parts, answer.isCut, answer.notice], [[], true, "This content can't be shown here."]);
    assert.match(row.words, /^long long/);
  });

  it('are opened again when their file is restored', async () => {
    await fetched('1', 'a.jsonl', 'a.results.jsonl', [[0, 'a', succeeded('Before')]]);
    const bytes = readFileSync(folder('a.results.jsonl'));
    const results = await open('1');
    rmSync(folder('a.results.jsonl'));
    await results.check();
    assert.equal(results.head.problem, 'gone');
    writeFileSync(folder('a.results.jsonl'), bytes);
    await results.check();
    assert.deepEqual([results.head.problem, results.table?.size], [undefined, 1]);
  });
});
