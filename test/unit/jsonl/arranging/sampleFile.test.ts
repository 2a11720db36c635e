import assert from 'node:assert/strict';
import fc from 'fast-check';
import { divide, type SampleSize, sampleFile, shuffleFile } from '../../../../src/jsonl/arranging/sampleFile';
import { runs } from '../../../helpers/runs';
import { anyFile, kindOf, linesOf, params, quiet, request, TestFiles } from './requestFiles';

describe('jsonl/arranging/sampleFile shuffleFile', () => {
  const files = new TestFiles();

  async function shuffle(text: string, seed = 'seed') {
    const report = await shuffleFile({ path: files.write('in.jsonl', text), outPath: files.at('out.jsonl'), seed }, quiet);
    return { report, text: files.read('out.jsonl') };
  }

  it('writes every line once, in an order that depends on the seed', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => request(`r${index}`));
    const one = await shuffle(lines.join('\n'));
    assert.notDeepEqual(linesOf(one.text), lines);
    assert.deepEqual([...linesOf(one.text)].sort(), [...lines].sort());
    assert.equal((await shuffle(lines.join('\n'))).text, one.text);
    assert.notEqual((await shuffle(lines.join('\n'), 'other')).text, one.text);
    assert.equal(one.report.written, 200);
  });

  it("keeps the bytes of every line that isn't blank, for any file", async () => {
    await fc.assert(
      fc.asyncProperty(anyFile, fc.string(), async (text, seed) => {
        const shuffled = (await shuffle(text, seed)).text.split('\n').slice(0, -1);
        assert.deepEqual(shuffled.sort(), [...linesOf(text)].sort());
      }),
      { numRuns: runs(100) },
    );
  });

  it('puts lines longer than its windows at their positions', async () => {
    const lines = ['a', 'x'.repeat(20 << 20), 'b', 'y'.repeat(3 << 20), 'c'].map((words, index) => request(`r${index}`, words));
    assert.deepEqual([...linesOf((await shuffle(lines.join('\n'))).text)].sort(), [...lines].sort());
  });
});

describe('jsonl/arranging/sampleFile', () => {
  const files = new TestFiles();

  async function sample(text: string, size: SampleSize, seed = 'seed') {
    const report = await sampleFile({ path: files.write('in.jsonl', text), outPath: files.at('out.jsonl'), seed, size }, quiet);
    return { report, lines: files.read('out.jsonl').split('\n').slice(0, -1) };
  }

  it('writes the requested number or percentage of requests, and at least one', async () => {
    const text = Array.from({ length: 50 }, (_, index) => request(`r${index}`)).join('\n');
    assert.equal((await sample(text, { count: 7 })).lines.length, 7);
    assert.equal((await sample(text, { share: 0.1 })).lines.length, 5);
    assert.equal((await sample(text, { share: 0.001 })).lines.length, 1);
    assert.equal((await sample(text, { count: 90 })).lines.length, 50);
    assert.notDeepEqual((await sample(text, { count: 7 })).lines, (await sample(text, { count: 7 }, 'other')).lines);
  });

  it('draws only requests, and reports other lines', async () => {
    const text = [request('a'), '{broken', params('b'), '', request('c')].join('\n');
    const { report, lines } = await sample(text, { count: 9 });
    assert.deepEqual(lines, [request('a'), params('b'), request('c')]);
    assert.deepEqual([report.written, report.blank, report.broken], [3, 1, { count: 1, first: [1] }]);
  });

  it('draws from each model in proportion', async () => {
    const lines = Array.from({ length: 90 }, (_, index) => request(`r${index}`, 'x', index % 3 === 0 ? 'small' : 'large'));
    const { lines: drawn } = await sample([...lines, params('y', 'bare')].join('\n'), { count: 10 });
    const drawnOf = (model: string) => drawn.filter(line => line.includes(`"${model}"`)).length;
    assert.deepEqual(['small', 'large', 'bare'].map(drawnOf), [3, 6, 1]);
  });

  it('draws from each tenth by length', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => request(`r${index + 100}`, 'x'.repeat((index * 37) % 100)));
    const { lines: drawn } = await sample(lines.join('\n'), { count: 20 });
    const byLength = lines.map(line => line.length).sort((a, b) => a - b);
    assert.equal(drawn.filter(line => line.length <= (byLength[9] ?? 0)).length, 2);
  });

  it('is a part of the file in file order, and the same for the same seed', async () => {
    await fc.assert(
      fc.asyncProperty(anyFile, fc.integer({ min: 0, max: 8 }), fc.string(), async (text, count, seed) => {
        const { report, lines } = await sample(text, { count }, seed);
        const source = linesOf(text).filter(line => kindOf(line) !== 'broken');
        assert.equal(lines.length, Math.min(count, source.length));
        assert.equal(report.written, lines.length);
        let at = -1;
        for (const line of lines) {
          at = source.indexOf(line, at + 1);
          assert.ok(at >= 0, line);
        }
        assert.deepEqual((await sample(text, { count }, seed)).lines, lines);
      }),
      { numRuns: runs(100) },
    );
  });

  it('chooses every request equally often', async () => {
    const text = Array.from({ length: 6 }, (_, index) => request(`r${index}`)).join('\n');
    const counts = new Map<string, number>();
    const rounds = runs(400, 100);
    for (let seed = 0; seed < rounds; seed++) {
      for (const line of (await sample(text, { count: 2 }, String(seed))).lines) {
        counts.set(line, (counts.get(line) ?? 0) + 1);
      }
    }
    assert.equal(counts.size, 6);
    for (const count of counts.values()) {
      assert.ok(count > rounds * 0.2 && count < rounds * 0.47, String(count));
    }
  });

  it('divides without losing any', () => {
    assert.deepEqual(divide(10, [1, 1, 98]), [0, 0, 10]);
    assert.deepEqual(divide(3, [1, 1, 1]), [1, 1, 1]);
    assert.deepEqual(divide(0, [5, 5]), [0, 0]);
    assert.deepEqual(divide(0, []), []);
  });
});
