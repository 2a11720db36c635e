import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { messageBatchSchema } from '../../../../../src/client/resources/messageBatches';
import { type FetchRunDependencies, fetchRun } from '../../../../../src/features/batches/fetching/fetchRun';
import { type Run, toRuns } from '../../../../../src/features/ledger/runs';
import { type Submission, toSelection } from '../../../../../src/features/ledger/submission';
import type { SubmissionRegistry } from '../../../../../src/features/ledger/submissionRegistry';
import type { MergeSource } from '../../../../../src/jsonl/merging/mergedAnswers';
import { mergeResults } from '../../../../../src/jsonl/merging/mergeResults';
import { type LinesSource, restoreLines } from '../../../../../src/jsonl/merging/restoreLines';
import type { JoinSource } from '../../../../../src/jsonl/results/joinedResults';
import { joinResults } from '../../../../../src/jsonl/results/resultsJoin';
import { useFolder } from '../../../../helpers/useFolder';
import { recordOf, useLedger } from '../../ledger/ledgerOfTest';

const quiet = { throwIfAborted: () => {}, progress: () => {} };
const { signal } = new AbortController();
const ids = ['a', 'b', 'c', 'd'];
const request = (id: string) => `{"custom_id":"${id}","params":{"text":"${id}"}}\n`;
const answer = (id: string) => `{"custom_id":"${id}","result":{"type":"expired"}}\n`;
/** Ids of the submissions in the ledger, by name in this test. */
const uuids: Readonly<Record<string, string>> = { 0: randomUUID(), 1: randomUUID(), whole: randomUUID() };
const sent = ids.map(request).join('');
const rebuilt = 'The results were damaged and have been rebuilt.';

async function* streamOf(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}

describe('features/batches/fetching/fetchRun with damaged hidden files', () => {
  const ledger = useLedger();
  const folder = useFolder();
  let file: string;
  let registry: SubmissionRegistry;
  let deps: FetchRunDependencies;
  let asked: string[];

  beforeEach(async () => {
    file = folder('requests.jsonl');
    writeFileSync(file, sent);
    asked = [];
    registry = ledger.open(() => undefined);
    await registry.load();
    const batches = {
      retrieve: async (id: string) => ({ data: batchOf(id) }),
      results: async (id: string) => {
        asked.push(id);
        // The results of each batch are in reverse order.
        const body = Buffer.from(idsOf(id).toReversed().map(answer).join(''));
        return { start: 0, totalBytes: body.length, contentLength: body.length, body: streamOf(body) };
      },
    };
    deps = {
      registry,
      log: { info: () => undefined },
      connections: { find: (name: string) => ({ name }), client: async () => ({ batches }) },
      jobs: {
        run: (name: string, input: unknown) => {
          switch (name) {
            case 'joinResults':
              return joinResults(input as JoinSource, quiet);
            case 'restoreLines':
              return restoreLines(input as LinesSource, quiet as unknown as Parameters<typeof restoreLines>[1]);
            default:
              return mergeResults(input as MergeSource, quiet);
          }
        },
      },
    } as unknown as FetchRunDependencies;
  });

  /** Returns the request ids of a submission. Parts 0 and 1 have two requests each, `whole` has all requests. */
  const idsOf = (id: string) => (id === 'whole' ? ids : ids.slice(Number(id) * 2, Number(id) * 2 + 2));

  function batchOf(id: string) {
    const request_counts = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: idsOf(id).length };
    return messageBatchSchema.parse({ id, processing_status: 'ended', results_url: '/x', request_counts });
  }

  const uuid = (name: string) => uuids[name] ?? assert.fail();

  async function save(name: string, more: Partial<Submission> = {}): Promise<Submission> {
    const id = uuid(name);
    const lines = idsOf(name).map(one => ids.indexOf(one));
    const own = await registry.prepare(id);
    writeFileSync(path.join(own, 'lines.tsv'), lines.map(line => `${line}\t${ids[line]}\n`).join(''));
    const submission = recordOf({
      ...{ id, batchId: name, source: vscode.Uri.file(file).toString(), fileBytes: Buffer.byteLength(sent) },
      ...{ sha256: createHash('sha256').update(sent).digest('hex'), requestCount: lines.length, state: 'created' },
      ...{ startedAt: new Date().toISOString(), ...more },
    });
    await registry.save(submission);
    return submission;
  }

  async function group(): Promise<void> {
    for (const index of [0, 1]) {
      const selection = toSelection({ purpose: 'part', lines: Uint32Array.of(index * 2, index * 2 + 1) });
      await save(String(index), { group: { id: 'g', index, count: 2 }, selection });
    }
  }

  const run = (): Run => toRuns(registry.all())[0] ?? assert.fail();
  const inFolder = (id: string, name: string) => path.join(registry.folder(uuid(id)), name);
  const fetch = () => fetchRun(deps, run(), { signal });
  const idsIn = (results: string) =>
    readFileSync(results, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).custom_id);

  it('joins a part again from the raw results if its index or joined file is damaged, and says so', async () => {
    await group();
    assert.deepEqual(idsIn((await fetch()).results?.joinedPath ?? ''), ids);
    const index = inFolder('1', 'results.index');
    const damages: readonly (() => void | Promise<void>)[] = [
      () => truncateSync(index, 30),
      () => writeFileSync(index, ''),
      () => copyFile(inFolder('0', 'results.index'), index),
      () => rmSync(index),
      () => truncateSync(inFolder('1', 'joined.jsonl'), 10),
      () => rmSync(inFolder('1', 'joined.jsonl')),
    ];
    for (const [at, damage] of damages.entries()) {
      await damage();
      asked = [];
      const fetched = await fetch();
      assert.deepEqual([fetched.notes, fetched.failed, asked], [[rebuilt], [], []], `damage ${at}`);
      assert.deepEqual(idsIn(fetched.results?.joinedPath ?? ''), ids, `damage ${at}`);
    }
    truncateSync(index, 30);
    truncateSync(inFolder('1', 'results.jsonl'), 10);
    assert.deepEqual([(await fetch()).notes, asked], [[rebuilt], ['1']], 'fetched again where that is damaged too');
  });

  it('restores the list of lines from the sent file', async () => {
    await group();
    await fetch();
    for (const text of ['2\tc\n', '2\tc\n3', '', 'nonsense', undefined]) {
      for (const isFetchedBefore of [true, false]) {
        const lines = inFolder('1', 'lines.tsv');
        if (text === undefined) {
          rmSync(lines);
        } else {
          writeFileSync(lines, text);
        }
        if (!isFetchedBefore) {
          await registry.update(uuid('1'), { results: undefined });
        }
        const fetched = await fetch();
        assert.deepEqual(idsIn(fetched.results?.joinedPath ?? ''), ids);
        assert.deepEqual([fetched.results?.report.complete, fetched.failed], [true, []]);
        assert.match(fetched.notes.join(), /list of lines was damaged and has been rebuilt/, `${text} ${isFetchedBefore}`);
        assert.equal(readFileSync(lines, 'utf8'), '2\tc\n3\td\n');
      }
    }
  });

  it("returns results in the service's order if the lines are unknown, and says so", async () => {
    writeFileSync(file, `${sent} `);
    await save('whole');
    for (const text of ['0\ta\n1', '0\ta\n', undefined]) {
      const lines = inFolder('whole', 'lines.tsv');
      if (text !== undefined) {
        writeFileSync(lines, text);
      }
      await registry.update(uuid('whole'), { results: undefined });
      const fetched = await fetch();
      assert.match(fetched.notes.join(), /in the service's order/);
      assert.deepEqual(idsIn(fetched.results?.joinedPath ?? ''), ids.toReversed());
      assert.equal(existsSync(lines), false);
    }
  });
});
