import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { SourceChangedError } from '../../../../src/jsonl/files/fileState';
import { createJsonlJobs } from '../../../../src/jsonl/jobs/jobs';
import { jobPriority } from '../../../../src/jsonl/jobs/threadProtocol';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { runs } from '../../../helpers/runs';
import { until } from '../../../helpers/until';
import { requestLine } from '../requestLines';

const rules = contractRules();
const limits = { maxRequests: 100_000, maxBytes: 1_000_000_000 };
const params = '{"model":"m", "max_tokens":1,"messages":[{"role":"user","content":"\\u00e9 12345678901234567890"}]}';
const request = (id: string) => `{"custom_id":"${id}","params":${params}}`;

describe('jsonl/jobs/jobs', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'jobs-'));
  const file = path.join(folder, 'requests.jsonl');
  const linesPath = path.join(folder, 'lines.tsv');
  const jobs = createJsonlJobs({ threadFile: path.join(process.env.TEST_BUILD ?? '', 'jsonlThread.js') });
  const { signal } = new AbortController();
  after(() => {
    jobs.dispose();
    rmSync(folder, { recursive: true });
  });

  async function check(content: string) {
    writeFileSync(file, content);
    return { path: file, linesPath, report: await jobs.checkFile(file, { limits, rules }) };
  }
  async function read(body: AsyncIterable<Uint8Array>) {
    const parts: Uint8Array[] = [];
    for await (const part of body) {
      parts.push(Uint8Array.from(part));
    }
    return Buffer.concat(parts).toString();
  }
  /** Content of a file larger than 2 MiB, the most that a thread reads ahead. */
  const large = Array.from({ length: 25_000 }, (_, line) => request(`id-${line}`)).join('\n');

  it('gives the host priority if the system can', async () => {
    const own = getPriority();
    if (process.platform !== 'linux' || own >= jobPriority) {
      return;
    }
    const niceOf = (task: string) => {
      try {
        return Number(readFileSync(`/proc/self/task/${task}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]);
      } catch {
        // The thread has ended.
        return undefined;
      }
    };
    const jobThreads = () => readdirSync('/proc/self/task').filter(task => niceOf(task) === jobPriority).length;
    const stream = jobs
      .requestBody(await check(large))
      .open(signal)
      [Symbol.asyncIterator]();
    // The thread can't read the whole file ahead, so the thread lives until the stream is read or closed.
    await stream.next();
    await until(() => jobThreads() > 0, 5);
    await stream.return?.();
    assert.equal(getPriority(), own);
  });

  it('keeps the thread that checked as many requests as a batch can have', async () => {
    const content = Array.from(
      { length: 100_000 },
      (_, line) => `{"custom_id":"id-${line}","params":{"model":"m","max_tokens":1,"messages":[]}}`,
    );
    await check(content.join('\n'));
    let started = 0;
    const count = () => started++;
    process.on('worker', count);
    try {
      await jobs.checkFile(file, { limits, rules });
      assert.equal(started, 0);
    } finally {
      process.off('worker', count);
    }
  });

  it("rejects with the job's error", async () => {
    await assert.rejects(jobs.checkFile(path.join(folder, 'nowhere'), { limits, rules }), { name: 'Error', code: 'ENOENT' });
  });

  it('reports progress to the end', async () => {
    writeFileSync(file, large);
    const seen: number[] = [];
    await jobs.checkFile(file, { limits, rules }, { onProgress: ({ doneBytes, totalBytes }) => seen.push(doneBytes / totalBytes) });
    assert.equal(seen.at(-1), 1);
    assert.deepEqual(
      seen,
      [...seen].sort((a, b) => a - b),
    );
  });

  it('rejects with the reason of a signal that is aborted before or during the job', async () => {
    writeFileSync(file, large);
    const reason = new Error('enough');
    await assert.rejects(jobs.checkFile(file, { limits, rules }, { signal: AbortSignal.abort(reason) }), reason);
    const controller = new AbortController();
    await assert.rejects(
      jobs.checkFile(file, { limits, rules }, { signal: controller.signal, onProgress: () => controller.abort(reason) }),
      reason,
    );
  });

  it('creates a body from the bytes of each request, with generated IDs around bare params', async () => {
    const source = await check(`\ufeff${request('a')}\r\n\n  ${params} \n${request('b')}`);
    const body = jobs.requestBody(source);
    const sent = await read(body.open(signal));
    assert.equal(sent, `{"requests":[${request('a')},{"custom_id":"line-3","params":${params}},${request('b')}]}`);
    assert.equal(body.byteLength, Buffer.byteLength(sent));
    assert.equal(readFileSync(linesPath, 'utf8'), '0\ta\n2\tline-3\n3\tb\n');
  });

  it("sends the file's content, for any lines", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(requestLine, { minLength: 1, maxLength: 20 }), async lines => {
        const source = await check(lines.join('\n'));
        const body = jobs.requestBody(source);
        const sent = await read(body.open(signal));
        assert.equal(Buffer.byteLength(sent), body.byteLength);
        const { requests } = JSON.parse(sent) as { requests: { custom_id: string; params: unknown }[] };
        const expected = lines.map((line, index) => {
          const value = JSON.parse(line);
          return value.params === undefined ? { custom_id: `line-${index + 1}`, params: value } : value;
        });
        assert.deepEqual(requests, expected);
        assert.equal(readFileSync(linesPath, 'utf8'), requests.map(({ custom_id }, index) => `${index}\t${custom_id}\n`).join(''));
      }),
      { numRuns: runs(8, 3) },
    );
  });

  it('sends lines longer than a chunk completely', async () => {
    const long = request('a').replace('12345', 'é'.repeat(500_000));
    const source = await check(`${long}\n${long.replace('"a"', '"b"')}\n`);
    assert.equal(await read(jobs.requestBody(source).open(signal)), `{"requests":[${long},${long.replace('"a"', '"b"')}]}`);
  });

  for (const [what, change] of [
    ['a byte changed', (text: string) => text.replace('id-24999', 'id-24998')],
    ['a line was added', (text: string) => `${text}\n${request('z')}`],
    ['lines were taken away', (text: string) => text.slice(0, text.length >> 1)],
    ['a blank was added', (text: string) => `${text} `],
  ] as const) {
    it(`never completes a body when ${what} since the check`, async () => {
      const source = await check(large);
      writeFileSync(file, change(large));
      let handedOut = 0;
      const body = jobs.requestBody(source);
      await assert.rejects(async () => {
        for await (const part of body.open(signal)) {
          handedOut += part.length;
        }
      }, SourceChangedError);
      assert.ok(handedOut < body.byteLength);
    });
  }

  it('writes the line map to disk before the last byte', async () => {
    const source = await check(large);
    const { byteLength, ...body } = jobs.requestBody(source);
    let handedOut = 0;
    for await (const part of body.open(signal)) {
      handedOut += part.length;
      if (handedOut === byteLength) {
        assert.ok(readFileSync(linesPath, 'utf8').endsWith('24999\tid-24999\n'));
      }
    }
    assert.equal(handedOut, byteLength);
  });

  it('ends its thread when the body is abandoned or aborted', async () => {
    const source = await check(large);
    for await (const part of jobs.requestBody(source).open(signal)) {
      assert.ok(part.length > 0);
      break;
    }
    const controller = new AbortController();
    const reason = new Error('enough');
    await assert.rejects(async () => {
      for await (const part of jobs.requestBody(source).open(controller.signal)) {
        assert.ok(part.length > 0);
        controller.abort(reason);
      }
    }, reason);
  });

  it('splits, merges, shuffles, samples, finds duplicates and converts in threads', async () => {
    writeFileSync(file, large.split('\n').slice(0, 3_000).join('\n'));
    const outPath = path.join(folder, 'out.jsonl');
    const written = () => readFileSync(outPath, 'utf8').split('\n').length - 1;
    const plan = await jobs.run('planSplit', { path: file, limits, parts: 2 });
    assert.equal(plan.parts.length, 2);
    const outPaths = [outPath, path.join(folder, 'out-2.jsonl')];
    await jobs.run('splitFile', { path: file, plan, outPaths });
    assert.equal(written(), 1_500);
    assert.equal((await jobs.run('surveyMerge', { paths: outPaths })).repeatedIds, 0);
    await jobs.run('shuffleFile', { path: file, outPath, seed: 's' });
    assert.equal(written(), 3_000);
    await jobs.run('sampleFile', { path: file, outPath, seed: 's', size: { count: 7 } });
    assert.equal(written(), 7);
    assert.equal((await jobs.run('findDuplicates', { path: file })).repeats.params, 2_999);
    await jobs.run('writeUnique', { path: file, outPath, by: 'params' });
    assert.equal(written(), 1);
    await jobs.run('mergeFiles', { paths: [file, file], outPath, ids: { kind: 'dropRepeats' } });
    assert.equal(written(), 3_000);
    assert.equal((await jobs.run('surveyForeign', { path: file })).kinds.request, 3_000);
  });

  it('leaves no files behind when it is canceled', async () => {
    writeFileSync(file, large);
    const outPath = path.join(folder, 'cancelled.jsonl');
    const options = {
      models: [],
      model: undefined,
      maxTokens: undefined,
      takenIds: [],
    };
    const controller = new AbortController();
    const reason = new Error('enough');
    await assert.rejects(
      jobs.run(
        'convertFile',
        { path: file, outPath, restPath: `${outPath}.rest`, options },
        { signal: controller.signal, onProgress: () => controller.abort(reason) },
      ),
      reason,
    );
    // A canceled job doesn't wait for a slow cleanup. The cleanup continues in the background.
    await until(() => !readdirSync(folder).some(name => name.startsWith('cancelled')), 5);
  });
});
