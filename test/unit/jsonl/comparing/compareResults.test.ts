import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hashBytes, ParamsHasher } from '../../../../src/jsonl/arranging/paramsHash';
import { compareResults } from '../../../../src/jsonl/comparing/compareResults';
import { addUsage } from '../../../../src/jsonl/results/resultUsage';
import { comparedKinds } from '../../../../src/shared/comparison/comparisonProtocol';
import { errored, makeJoined, quiet, succeeded } from '../querying/joinedFile';

type Results = Parameters<typeof makeJoined>[0];

describe('jsonl/comparing/compareResults', () => {
  const made: Awaited<ReturnType<typeof makeJoined>>[] = [];

  afterEach(async () => {
    await Promise.all(made.splice(0).map(joined => joined.remove()));
  });

  /** Writes joined results and the hashes of their requests. */
  async function make(results: Results, prompts: readonly string[] = results.map(([id]) => id)) {
    const joined = await makeJoined(results);
    made.push(joined);
    const hashesPath = path.join(joined.folder, 'requests.hash');
    const hasher = new ParamsHasher();
    const hashes = prompts.map(prompt => Buffer.from(hasher.hashText(JSON.stringify({ prompt })) ?? Buffer.alloc(hashBytes)));
    await writeFile(hashesPath, Buffer.concat(hashes));
    return { ...joined, sent: [{ hashesPath, linesPath: joined.linesPath }] };
  }

  async function compare(
    before: Results,
    after: Results,
    {
      prompts = [],
      expected,
      idsOf = 'before',
    }: { prompts?: readonly [string[]?, string[]?]; expected?: readonly object[]; idsOf?: 'before' | 'after' } = {},
  ) {
    const sides = { before: await make(before, prompts[0]), after: await make(after, prompts[1]) };
    const expectationsPath = path.join(sides.before.folder, 'a.expect.jsonl');
    if (expected !== undefined) {
      await writeFile(expectationsPath, expected.map(line => `${JSON.stringify(line)}\n`).join(''));
    }
    const comparison = await compareResults({ ...sides, expectations: { path: expectationsPath, idsOf } }, quiet);
    const all = Array.from(comparison.kinds, (kind, at) => [
      comparedKinds[kind],
      before.filter(([, result]) => result)[comparison.beforeRows[at] ?? -1]?.[0],
      after.filter(([, result]) => result)[comparison.afterRows[at] ?? -1]?.[0],
    ]);
    const first = all.length - comparison.counts.same;
    assert.ok(all.slice(first).every(([kind]) => kind === 'same') && all.slice(0, first).every(([kind]) => kind !== 'same'));
    return { ...comparison, pairs: all.slice(0, first) };
  }

  it('shows the change of each request, worst first', async () => {
    const { pairs, counts, pairedBy, usage } = await compare(
      [
        ['same', succeeded('yes')],
        ['json', succeeded('{"a":1,"b":[1,{"c":null}]}')],
        ['other', succeeded('yes')],
        ['worse', succeeded('yes', { output: 10 })],
        ['cut', succeeded('yes')],
        ['lower', succeeded('ye', { stop: 'max_tokens' })],
        ['better', errored('no')],
        ['whole', succeeded('ye', { stop: 'max_tokens' })],
        ['gone', succeeded('yes')],
        ['unanswered', { type: 'canceled' }],
        ['error', errored('request 12 failed')],
        ['cause', errored('no', 'api_error')],
      ],
      [
        ['cause', errored('no', 'overloaded_error')],
        ['error', errored('request 13 failed')],
        ['new', succeeded('yes')],
        ['same', succeeded(' yes\n')],
        ['json', succeeded('{ "b": [1.0, {"c": null}], "a": 1 }')],
        ['other', succeeded('no')],
        ['worse', errored('no')],
        ['cut', succeeded('y', { stop: 'refusal' })],
        ['lower', { type: 'expired' }],
        ['better', succeeded('yes', { input: 5 })],
        ['whole', succeeded('yes')],
        ['unanswered', undefined],
      ],
    );
    assert.equal(pairedBy, 'id');
    assert.deepEqual(pairs, [
      ['regressed', 'worse', 'worse'],
      ['regressed', 'cut', 'cut'],
      ['regressed', 'lower', 'lower'],
      ['fixed', 'better', 'better'],
      ['fixed', 'whole', 'whole'],
      ['changed', 'other', 'other'],
      ['changed', 'cause', 'cause'],
      ['lost', 'gone', undefined],
      ['lost', 'unanswered', undefined],
      ['added', undefined, 'new'],
    ]);
    assert.deepEqual(counts, { regressed: 3, lost: 2, changed: 2, fixed: 2, added: 1, same: 3 });
    assert.deepEqual(
      (['inputTokens', 'outputTokens'] as const).map(name => usage.map(one => addUsage(one)[name])),
      [
        [14, 15],
        [28, 18],
      ],
    );
  });

  it('pairs equal requests if no ID is in both', async () => {
    const { pairs, pairedBy, counts } = await compare(
      [
        ['a', succeeded('1')],
        ['b', succeeded('2')],
        ['c', succeeded('3')],
      ],
      [
        ['x', succeeded('3')],
        ['y', succeeded('2')],
        ['z', succeeded('4')],
      ],
      {
        prompts: [
          ['twice', 'twice', 'once'],
          ['once', 'twice', 'new'],
        ],
      },
    );
    assert.equal(pairedBy, 'request');
    assert.deepEqual(pairs, [
      ['changed', 'a', 'y'],
      ['lost', 'b', undefined],
      ['added', undefined, 'z'],
    ]);
    assert.equal(counts.same, 1);
  });

  it('reports that nothing is shared', async () => {
    const { pairedBy, counts } = await compare([['a', succeeded('1')]], [['b', succeeded('1')]]);
    assert.deepEqual([pairedBy, counts.lost, counts.added], ['nothing', 1, 1]);
  });

  it('treats IDs and keys literally', async () => {
    const { counts } = await compare(
      [['__proto__', succeeded('{"__proto__":1,"toString":2}')]],
      [['__proto__', succeeded('{"toString":2,"__proto__":2}')]],
    );
    assert.deepEqual([counts.changed, counts.same], [1, 0]);
    const deep = `${'['.repeat(5000)}1${']'.repeat(5000)}`;
    const same = await compare([['a', succeeded(deep)]], [['a', succeeded(deep.replace('1', '2'))]]);
    assert.equal(same.counts.changed, 1);
  });

  it('judges both runs by the expectations, and explains what it leaves out', async () => {
    const answers = (words: (index: number) => object | undefined): Results =>
      Array.from({ length: 40 }, (_, index) => [`q${index}`, words(index)] as const);
    const { measures, counts, pairs } = await compare(
      answers(index => (index === 30 ? errored('no') : index === 31 ? { type: 'expired' } : succeeded(index === 29 ? 'other' : 'yes'))),
      answers(index => {
        switch (index) {
          case 30:
            return errored('no');
          case 32:
            return { type: 'canceled' };
          case 33:
            return undefined;
          case 34:
            return succeeded('ye', { stop: 'max_tokens' });
          default:
            return succeeded(index < 8 ? 'no' : 'yes');
        }
      }),
      { expected: [{ equals: 'yes' }, { custom_id: 'q39', pattern: '(' }, { custom_id: 'q38', contains: 'y' }] },
    );
    const [expected, answered, contains, equals] = measures;
    assert.deepEqual(
      measures.map(({ about }) => about),
      ['expected', 'answered', 'contains', 'equals'],
    );
    // q30 failed in both runs, q31 expired, q32 was canceled, q33 is missing, and the pattern for q39 is invalid.
    assert.deepEqual(expected?.table, { bothPass: 25, worse: 9, better: 1, bothFail: 0 });
    assert.equal(expected?.compared, 35);
    assert.deepEqual(expected?.left.map(({ why, side, count }) => `${why} ${side} ${count}`).sort(), [
      'ended after 1',
      'ended before 1',
      'failed both 1',
      'missing after 1',
      'unusable both 1',
    ]);
    assert.ok(expected && Math.abs(expected.p - 0.021484375 * 4) < 1e-12);
    assert.deepEqual(answered?.table, { bothPass: 35, worse: 1, better: 0, bothFail: 1 });
    assert.deepEqual([contains?.compared, equals?.compared], [1, 35]);
    for (const { compared, left } of measures) {
      assert.equal(compared + left.reduce((sum, { count }) => sum + count, 0), 40);
    }
    // An answer is worse if it no longer meets its expectation. It is better if it now meets its expectation.
    assert.equal(counts.regressed, 10);
    assert.deepEqual(
      pairs.filter(([kind]) => kind === 'fixed').map(([, id]) => id),
      ['q29', 'q31'],
    );
  });

  it('judges a request by the ID that the expectations name, in either run', async () => {
    const prompts: [string[], string[]] = [
      ['one', 'two'],
      ['two', 'one'],
    ];
    const before: Results = [
      ['a', succeeded('1')],
      ['b', succeeded('2')],
    ];
    const after: Results = [
      ['x', succeeded('2')],
      ['y', succeeded('3')],
    ];
    const named = (first: string, second: string) => [
      { custom_id: first, equals: '1' },
      { custom_id: second, equals: '2' },
    ];
    for (const [idsOf, expected] of [
      ['before', named('a', 'b')],
      ['after', named('y', 'x')],
    ] as const) {
      const { measures, counts } = await compare(before, after, { prompts, expected, idsOf });
      assert.deepEqual(measures[0]?.table, { bothPass: 1, worse: 1, better: 0, bothFail: 0 });
      assert.deepEqual([counts.regressed, counts.same], [1, 1]);
    }
  });

  it('compares grades that answers are or contain', async () => {
    const graded = (grade: (index: number) => number): Results =>
      Array.from({ length: 30 }, (_, index) => [`q${index}`, succeeded(`{"score": ${grade(index)}, "id": "x"}`)] as const);
    const { measures } = await compare(
      graded(index => index % 5),
      graded(index => (index % 5) + (index % 3)),
    );
    const score = measures.find(({ about }) => about === 'number');
    assert.deepEqual([score?.field, score?.compared, score?.verdict, score?.values], ['score', 30, 'higher', [2, 3]]);
    assert.ok(score?.interval && score.interval.low > 0.6 && score.interval.high < 1.4 && score.p < 0.01);
    // A higher grade isn't better or worse, so grades don't add to the number of tests.
    assert.equal(measures[0]?.tests, 1);
    assert.equal(measures[0]?.verdict, 'unclear');
  });

  it('counts requests that neither run answered, once each', async () => {
    const { measures } = await compare(
      [
        ['both', undefined],
        ['second', undefined],
        ['first', succeeded('yes')],
        ['only', undefined],
        ['paired', succeeded('yes')],
      ],
      [
        ['paired', succeeded('yes')],
        ['other', undefined],
        ['both', undefined],
        ['first', undefined],
        ['second', succeeded('yes')],
      ],
    );
    assert.equal(measures[0]?.compared, 1);
    assert.deepEqual(measures[0]?.left, [
      { why: 'missing', side: 'both', count: 3 },
      { why: 'missing', side: 'after', count: 1 },
      { why: 'missing', side: 'before', count: 1 },
    ]);
  });

  it('compares nothing without data', async () => {
    const { measures } = await compare([['a', { type: 'expired' }]], [['a', { type: 'expired' }]]);
    assert.deepEqual(
      measures.map(({ compared, interval, p, more }) => ({ compared, interval, p, more })),
      [{ compared: 0, interval: undefined, p: 1, more: undefined }],
    );
  });
});
