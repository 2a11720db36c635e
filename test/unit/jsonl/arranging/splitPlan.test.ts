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

  it('returns the least number of equal parts for any sizes', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 6 }), fc.nat(200), fc.nat(50), async (found, parts, room, maxRequests) => {
        const values = found.map((size, index) => request(`r${index}`, 'x'.repeat(size)));
        const largest = Math.max(...values.map(value => Buffer.byteLength(body(value))));
        const limits = { maxRequests: maxRequests + 1, maxBytes: largest + room };
        const path = files.write('sizes.jsonl', `${values.join('\n')}\n`);
        const least = (count: number): number => {
          const starts = Array.from({ length: count + 1 }, (_, index) => Math.floor((values.length * index) / count));
          const fits = starts.slice(1).every((next, index) => {
            const part = values.slice(starts[index], next);
            return part.length <= limits.maxRequests && Buffer.byteLength(body(part.join('\n'))) <= limits.maxBytes;
          });
          return fits ? count : least(count + 1);
        };
        const wanted = Math.min(parts, values.length);
        assert.equal(planSplit({ path, limits, parts }, quiet).leastParts ?? wanted, least(wanted));
      }),
      { numRuns: runs(200) },
    );
  });

  it('finds the least number of equal parts fast if many are needed', () => {
    const count = 60_000;
    const sizesOf: readonly ((row: number) => number)[] = [
      // The last three requests are large. Two of them share a part unless there are nearly as many parts as requests.
      row => (row < count - 3 ? 1 : 990),
      row => 1 + ((row * 7919) % 990),
      row => (row % 50 === (row >> 7) % 50 ? 990 : 1),
      row => ((row * 7919) % 1000 < 2 || ((row - 1) * 7919) % 1000 < 2 ? 600 : 1),
      row => (row % 9973 < 30 && row % 3 === 0 ? 700 : 1),
    ];
    const started = performance.now();
    const found = sizesOf.map(sizeOf => {
      const values = Array.from({ length: count }, (_, row) => request(`r${row}`, 'x'.repeat(sizeOf(row))));
      const path = files.write('many.jsonl', `${values.join('\n')}\n`);
      return planSplit({ path, limits: { maxRequests: 100_000, maxBytes: 1300 }, parts: 2 }, quiet).leastParts;
    });
    assert.deepEqual(found, [60_000, 59_939, 29_981, 30_060, 19_381]);
    // Trying every number of parts would take minutes.
    assert.ok(performance.now() - started < 30_000);
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
