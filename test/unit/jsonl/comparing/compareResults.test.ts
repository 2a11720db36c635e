import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compareResults } from '../../../../src/jsonl/comparing/compareResults';
import { comparedKinds } from '../../../../src/jsonl/comparing/comparingJobs';
import { hashBytes, ParamsHasher } from '../../../../src/jsonl/merging/paramsHash';
import { errored, makeJoined, quiet, succeeded } from '../querying/joinedFile';

type Results = Parameters<typeof makeJoined>[0];

describe('jsonl/comparing/compareResults', () => {
  const made: Awaited<ReturnType<typeof makeJoined>>[] = [];

  afterEach(async () => {
    await Promise.all(made.splice(0).map(joined => joined.remove()));
  });

  /** Joined results with what their requests said. */
  async function make(results: Results, prompts: readonly string[] = results.map(([id]) => id)) {
    const joined = await makeJoined(results);
    made.push(joined);
    const hashesPath = path.join(joined.folder, 'requests.hash');
    const hasher = new ParamsHasher();
    const hashes = prompts.map(prompt => Buffer.from(hasher.hashText(JSON.stringify({ prompt })) ?? Buffer.alloc(hashBytes)));
    await writeFile(hashesPath, Buffer.concat(hashes));
    return { ...joined, sent: [{ hashesPath, linesPath: joined.linesPath }] };
  }

  async function compare(before: Results, after: Results, prompts: readonly [string[]?, string[]?] = []) {
    const source = { before: await make(before, prompts[0]), after: await make(after, prompts[1]) };
    const comparison = await compareResults(source, quiet);
    const pairs = Array.from(comparison.kinds, (kind, at) => [
      comparedKinds[kind],
      before.filter(([, result]) => result)[comparison.beforeRows[at] ?? -1]?.[0],
      after.filter(([, result]) => result)[comparison.afterRows[at] ?? -1]?.[0],
    ]);
    return { ...comparison, pairs };
  }

  it('tells what became of each request, the worst first', async () => {
    const { pairs, counts, pairedBy, inputTokens, outputTokens } = await compare(
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
      ['lost', 'gone', undefined],
      ['lost', 'unanswered', undefined],
      ['changed', 'other', 'other'],
      ['changed', 'cause', 'cause'],
      ['fixed', 'better', 'better'],
      ['fixed', 'whole', 'whole'],
      ['added', undefined, 'new'],
    ]);
    assert.deepEqual(counts, { regressed: 3, lost: 2, changed: 2, fixed: 2, added: 1, same: 3 });
    assert.deepEqual(
      [inputTokens, outputTokens],
      [
        [14, 15],
        [28, 18],
      ],
    );
  });

  it('pairs what was asked the same when no id is in both', async () => {
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
      [
        ['twice', 'twice', 'once'],
        ['once', 'twice', 'new'],
      ],
    );
    assert.equal(pairedBy, 'request');
    assert.deepEqual(pairs, [
      ['lost', 'b', undefined],
      ['changed', 'a', 'y'],
      ['added', undefined, 'z'],
    ]);
    assert.equal(counts.same, 1);
  });

  it('says when nothing is shared', async () => {
    const { pairedBy, counts } = await compare([['a', succeeded('1')]], [['b', succeeded('1')]]);
    assert.deepEqual([pairedBy, counts.lost, counts.added], ['nothing', 1, 1]);
  });

  it('takes ids and keys for what they are', async () => {
    const { counts } = await compare(
      [['__proto__', succeeded('{"__proto__":1,"toString":2}')]],
      [['__proto__', succeeded('{"toString":2,"__proto__":2}')]],
    );
    assert.deepEqual([counts.changed, counts.same], [1, 0]);
    const deep = `${'['.repeat(5000)}1${']'.repeat(5000)}`;
    const same = await compare([['a', succeeded(deep)]], [['a', succeeded(deep.replace('1', '2'))]]);
    assert.equal(same.counts.changed, 1);
  });
});
