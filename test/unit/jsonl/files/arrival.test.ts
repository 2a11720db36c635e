import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { Arrival, ArrivalError } from '../../../../src/jsonl/files/arrival';
import { createJsonlJobs } from '../../../../src/jsonl/jobs/jobs';
import type { JoinSource } from '../../../../src/jsonl/results/joinedResults';
import { joinResults } from '../../../../src/jsonl/results/resultsJoin';

const quiet = { throwIfAborted: () => {}, progress: () => {} };

describe('jsonl/files/arrival', () => {
  let folder: string;
  let source: JoinSource;
  const ids = Array.from({ length: 9 }, (_, index) => `id-${(index * 7) % 9}`);
  const whole = `\ufeff${ids.map(id => `{"custom_id":"${id}","result":{"type":"succeeded","text":"é${id}"}}`).join('\n')}`;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'arrival-'));
    const file = (name: string) => path.join(folder, name);
    source = { rawPath: file('raw'), joinedPath: file('joined'), indexPath: file('index'), linesPath: file('lines') };
    writeFileSync(
      file('lines'),
      [...ids]
        .sort()
        .map((id, index) => `${index}\t${id}\n`)
        .join(''),
    );
    writeFileSync(file('raw'), '');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const left = () => readdirSync(folder).sort();

  it('joins a file while it arrives in parts, with the same bytes', async () => {
    writeFileSync(source.rawPath, whole);
    const expected = { report: (await joinResults(source, quiet)).report, joined: readFileSync(source.joinedPath, 'utf8') };
    const bytes = Buffer.from(whole);
    for (const size of [1, 2, 50, 700]) {
      writeFileSync(source.rawPath, '');
      const arrival = new Arrival();
      const joining = joinResults({ ...source, arrival: arrival.shared }, quiet);
      for (let at = 0; at < bytes.length; at += size) {
        appendFileSync(source.rawPath, bytes.subarray(at, at + size));
        arrival.report(Math.min(at + size, bytes.length));
        await turn();
      }
      arrival.complete(bytes.length);
      assert.deepEqual((await joining).report, expected.report);
      assert.equal(readFileSync(source.joinedPath, 'utf8'), expected.joined);
    }
  });

  it('reads no unreported byte, and writes nothing before the end', async () => {
    writeFileSync(source.rawPath, `${whole}\n`);
    const arrival = new Arrival();
    const size = Buffer.byteLength(whole);
    arrival.report(size - 1);
    const joining = joinResults({ ...source, arrival: arrival.shared }, quiet);
    for (let turns = 0; turns < 20; turns++) {
      await turn();
    }
    assert.deepEqual(left(), ['lines', 'raw']);
    writeFileSync(source.rawPath, `${whole.slice(0, -1)}x`);
    arrival.complete(size);
    assert.equal((await joining).report.damaged.count, 1, 'the last byte is read when it is there');
  });

  it('ends a reader when the file is incomplete, and leaves no files behind', async () => {
    writeFileSync(source.rawPath, whole);
    const arrival = new Arrival();
    const joining = joinResults({ ...source, arrival: arrival.shared }, quiet);
    arrival.report(60);
    await turn();
    arrival.fail();
    await assert.rejects(joining, ArrivalError);
    assert.deepEqual(left(), ['lines', 'raw']);
  });

  it('ends a reader whose file became shorter', async () => {
    const arrival = new Arrival();
    arrival.report(1);
    await assert.rejects(joinResults({ ...source, arrival: arrival.shared }, quiet), /was truncated/);
  });

  it('cancels and notifies a waiting thread', async () => {
    const jobs = createJsonlJobs({ threadFile: path.join(process.env.TEST_BUILD ?? '', 'jsonlThread.js') });
    const controller = new AbortController();
    const waiting = jobs.run('joinResults', { ...source, arrival: new Arrival().shared }, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await assert.rejects(waiting, { message: 'enough' });
    const arrival = new Arrival();
    const joining = jobs.run('joinResults', { ...source, arrival: arrival.shared });
    writeFileSync(source.rawPath, whole);
    arrival.complete(Buffer.byteLength(whole));
    assert.equal((await joining).report.counts.succeeded, ids.length);
  });
});
