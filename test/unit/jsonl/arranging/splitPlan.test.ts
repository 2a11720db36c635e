import assert from 'node:assert/strict';
import { appendFileSync, readdirSync } from 'node:fs';
import fc from 'fast-check';
import { planSplit, type SplitPlan, splitFile } from '../../../../src/jsonl/arranging/splitPlan';
import { runs } from '../../../helpers/runs';
import { anyFile, kindOf, linesOf, params, quiet, request, TestFiles } from './requestFiles';

const roomy = { maxRequests: 100_000, maxBytes: 1e9 };

describe('jsonl/arranging/splitPlan', () => {
  const files = new TestFiles();

  async function split(
    text: string,
    limits = roomy,
    parts?: number,
  ): Promise<{ readonly plan: SplitPlan; readonly texts: readonly string[] }> {
    const path = files.write('source.jsonl', text);
    const plan = planSplit({ path, limits, parts }, quiet);
    const names = plan.parts.map((_, index) => `part-${index}.jsonl`);
    await splitFile({ path, plan, outPaths: names.map(name => files.at(name)) }, quiet);
    return { plan, texts: names.map(name => files.read(name)) };
  }

  const body = (text: string) => `{"requests":[${text.split('\n').filter(Boolean).join(',')}]}`;

  it('fills parts up to a number of requests', async () => {
    const { plan, texts } = await split(`${['a', 'b', 'c', 'd', 'e'].map(id => request(id)).join('\n')}\n`, { ...roomy, maxRequests: 2 });
    assert.deepEqual(
      plan.parts.map(({ requests }) => requests),
      [2, 2, 1],
    );
    assert.equal(texts.join(''), `${['a', 'b', 'c', 'd', 'e'].map(id => request(id)).join('\n')}\n`);
  });

  it('fills parts up to the bytes of a body, exactly', async () => {
    const two = Buffer.byteLength(body(`${request('a')}\n${request('b')}\n`));
    const text = `${request('a')}\n${request('b')}\n${request('c')}\n`;
    assert.deepEqual(
      (await split(text, { ...roomy, maxBytes: two })).plan.parts.map(part => [part.requests, part.bodyBytes]),
      [
        [2, two],
        [1, Buffer.byteLength(body(request('c')))],
      ],
    );
    assert.equal((await split(text, { ...roomy, maxBytes: two - 1 })).plan.parts.length, 3);
  });

  it('creates equal parts, and returns the least number within the limits', async () => {
    const text = Array.from({ length: 10 }, (_, index) => `${request(`r${index}`)}\n`).join('');
    assert.deepEqual(
      (await split(text, roomy, 3)).plan.parts.map(part => part.requests),
      [3, 3, 4],
    );
    assert.equal((await split(text, { ...roomy, maxRequests: 2 }, 3)).plan.leastParts, 5);
    assert.equal((await split(text, roomy, 30)).plan.parts.length, 10);
  });

  it('names requests that exceed the limits alone and creates no parts', async () => {
    const { plan } = await split(`${request('a')}\n\n${request('long', 'x'.repeat(500))}\n`, { ...roomy, maxBytes: 300 });
    assert.deepEqual(plan.parts, []);
    assert.equal(plan.tooLarge.count, 1);
    assert.deepEqual(plan.tooLarge.first, [[2, Buffer.byteLength(body(request('long', 'x'.repeat(500))))]]);
  });

  it('gives bare params the IDs of a single batch, and others if those exist', async () => {
    const { plan, texts } = await split(`${params('1')}\n\n ${params('3')}\r\n${request('line-3')}\n`, { ...roomy, maxRequests: 1 });
    assert.deepEqual(texts, [
      `{"custom_id":"line-1","params":${params('1')}}\n`,
      `{"custom_id":"line-3-2","params":${params('3')}}\n`,
      `${request('line-3')}\n`,
    ]);
    assert.deepEqual(
      plan.parts.map(part => part.bodyBytes),
      texts.map(text => Buffer.byteLength(body(text))),
    );
    assert.deepEqual([plan.bare, plan.blank, plan.requests], [2, 1, 3]);
  });

  it('writes nothing if the file changed since the plan', async () => {
    const path = files.write('changing.jsonl', `${request('a')}\n`);
    const plan = planSplit({ path, limits: roomy }, quiet);
    appendFileSync(path, `${request('b')}\n`);
    await assert.rejects(splitFile({ path, plan, outPaths: [files.at('never.jsonl')] }, quiet), { name: 'SourceChangedError' });
    assert.ok(!readdirSync(files.folder).some(name => name.startsWith('never')));
  });

  it('writes all parts or none', async () => {
    const path = files.write('all.jsonl', `${request('a')}\n${request('b')}\n`);
    const plan = planSplit({ path, limits: { ...roomy, maxRequests: 1 } }, quiet);
    await assert.rejects(splitFile({ path, plan, outPaths: [files.at('one.jsonl'), files.at('no-folder/two.jsonl')] }, quiet));
    assert.ok(!readdirSync(files.folder).some(name => name.startsWith('one.jsonl')));
  });

  it('loses nothing, respects the limits and counts exactly, for any file', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyFile,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 800, max: 6000 }),
        fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
        async (text, maxRequests, maxBytes, parts) => {
          const limits = parts === undefined ? { maxRequests, maxBytes } : roomy;
          const { plan, texts } = await split(text, limits, parts);
          const lines = linesOf(text);
          if (plan.tooLarge.count > 0) {
            assert.deepEqual(texts, []);
            return;
          }
          const bare = lines.filter(line => kindOf(line) === 'params');
          assert.equal(plan.requests, lines.length);
          assert.equal(plan.bare, bare.length);
          const written = texts.join('').split('\n').slice(0, -1);
          const unwrap = (line: string) => line.replace(/^\{"custom_id":"line-\d+(?:-\d+)?","params":/, '').slice(0, -1);
          assert.deepEqual(
            written.map((line, index) => (bare.includes(lines[index] ?? '') ? unwrap(line) : line)),
            lines.map(line => (bare.includes(line) ? line.trim() : line)),
          );
          assert.ok(!written.some(line => kindOf(line) === 'params'));
          for (const [index, part] of plan.parts.entries()) {
            assert.ok(part.requests <= limits.maxRequests && part.bodyBytes <= limits.maxBytes);
            // White space around a value isn't part of the body.
            const values = (texts[index] ?? '').split('\n').slice(0, -1);
            const kinds = values.map(line => (kindOf(line) === 'broken' ? line : line.trim()));
            assert.equal(Buffer.byteLength(`{"requests":[${kinds.join(',')}]}`), part.bodyBytes);
          }
        },
      ),
      { numRuns: runs(150) },
    );
  });
});
