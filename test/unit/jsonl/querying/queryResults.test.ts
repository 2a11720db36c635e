import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import fc from 'fast-check';
import { type QuerySource, queryResults } from '../../../../src/jsonl/querying/queryResults';
import { anyCharacter } from '../../../helpers/anyCharacter';
import { runs } from '../../../helpers/runs';
import { errored, makeJoined, quiet, succeeded } from './joinedFile';

describe('jsonl/querying/queryResults', () => {
  let joined: Awaited<ReturnType<typeof makeJoined>>;

  beforeEach(async () => {
    joined = await makeJoined([
      ['eval-1', succeeded('Sorry, no.', { input: 5, output: 50 })],
      ['eval-10', succeeded('All is well', { input: 1, output: 4001, stop: 'max_tokens' })],
      ['eval-9', errored('Your credit balance is too low.', 'billing_error')],
      ['gone', undefined],
      ['__proto__', { type: 'expired' }],
      ['Other', succeeded('', { stop: 'refusal', output: 0, more: { content: [] } })],
      ['tool', succeeded('', { stop: 'tool_use', more: { content: [{ type: 'tool_use', name: 'f', input: { city: 'Bonn' } }] } })],
    ]);
  });

  afterEach(() => joined.remove());

  const ids = ['eval-1', 'eval-10', 'eval-9', '__proto__', 'Other', 'tool'];
  const ask = async (query: string, sort?: QuerySource['sort']) => {
    const { rows } = await queryResults({ ...joined, query, ...(sort && { sort }) }, quiet);
    assert.ok(rows.buffer instanceof SharedArrayBuffer);
    return Array.from(rows, row => ids[row]);
  };

  it('finds rows by columns and by texts', async () => {
    assert.deepEqual(await ask(''), ids);
    assert.deepEqual(await ask('status=errored and error~"CREDIT"'), ['eval-9']);
    assert.deepEqual(await ask('error=billing_error'), ['eval-9']);
    assert.deepEqual(await ask('error="your credit balance is too low."'), ['eval-9']);
    assert.deepEqual(await ask('out>4000'), ['eval-10']);
    assert.deepEqual(await ask('tokens=55'), ['eval-1']);
    assert.deepEqual(await ask('id~"EVAL-1"'), ['eval-1', 'eval-10']);
    assert.deepEqual(await ask('id~/^eval-\\d$/'), ['eval-1', 'eval-9']);
    assert.deepEqual(await ask('id=eval-1,__proto__,EVAL-9'), ['eval-1', '__proto__']);
    assert.deepEqual(await ask('line>=5'), ['__proto__', 'Other', 'tool']);
    assert.deepEqual(await ask('stop=max_tokens,refusal'), ['eval-10', 'Other']);
    assert.deepEqual(await ask('stop=none'), ['eval-9', '__proto__']);
    assert.deepEqual(await ask('status!=succeeded'), ['eval-10', 'eval-9', '__proto__', 'Other']);
    assert.deepEqual(await ask('status=succeeded'), ['eval-1', 'tool']);
    assert.deepEqual(await ask('state=refused,cut'), ['eval-10', 'Other']);
    assert.deepEqual(await ask('text~sorry'), ['eval-1']);
    assert.deepEqual(await ask('text~/^all/i'), ['eval-10']);
    assert.deepEqual(await ask('text!~/./ state!=expired'), ['Other']);
    assert.deepEqual(await ask('text=""'), ['__proto__', 'Other']);
    assert.deepEqual(await ask('bonn'), ['tool']);
    assert.deepEqual(await ask('eval low'), ['eval-9']);
    assert.deepEqual(await ask('length=10'), ['eval-1']);
    assert.deepEqual(await ask('not (text~l or line<2)'), ['__proto__', 'Other', 'tool']);
  });

  it('finds by plain words and by text~ what the table shows', async () => {
    for (const [query, found] of [
      ['billing_error', ['eval-9']],
      ['text~billing_error', ['eval-9']],
      ['text~"billing_error: your credit"', ['eval-9']],
      ['text~/^Your credit/', ['eval-9']],
      ['text!~billing status=failed', []],
      ['max_tokens', ['eval-10']],
      ['cut_short', ['eval-10']],
      ['cut short', ['eval-10']],
      ['"cut short"', ['eval-10']],
      ['refused', ['Other']],
      ['expired', ['__proto__']],
      ['failed', ['eval-9']],
      ['succeeded', ['eval-1', 'tool']],
      ['tool_use', ['tool']],
      ['/^cut/', []],
      ['not succeeded', ['eval-10', 'eval-9', '__proto__', 'Other']],
    ] as const) {
      assert.deepEqual(await ask(query), found, query);
    }
    const models = await makeJoined([
      ['a', succeeded('x', { more: { model: 'vendor-small' } })],
      ['b', succeeded('x', { more: { model: 'vendor-large' } })],
    ]);
    try {
      const { rows } = await queryResults({ ...models, query: 'LARGE' }, quiet);
      assert.deepEqual([...rows], [1]);
    } finally {
      await models.remove();
    }
  });

  it('sorts them and sums their tokens', async () => {
    assert.deepEqual(await ask('id~eval', { by: 'id', isDescending: false }), ['eval-1', 'eval-9', 'eval-10']);
    assert.deepEqual(await ask('', { by: 'output_tokens', isDescending: true }), [
      'eval-10',
      'eval-1',
      'tool',
      'eval-9',
      '__proto__',
      'Other',
    ]);
    assert.deepEqual(await ask('', { by: 'line', isDescending: true }), [...ids].reverse());
    assert.deepEqual(await ask('', { by: 'status', isDescending: true }), ['__proto__', 'eval-9', 'Other', 'eval-10', 'eval-1', 'tool']);
    assert.deepEqual(await ask('', { by: 'stop_reason', isDescending: false }), [
      '__proto__',
      'eval-9',
      'eval-1',
      'eval-10',
      'Other',
      'tool',
    ]);
    const { inputTokens, outputTokens } = await queryResults({ ...joined, query: 'line<=2' }, quiet);
    assert.deepEqual([inputTokens, outputTokens], [6, 4051]);
  });

  it("rejects invalid queries, and files that don't match", async () => {
    await assert.rejects(ask('stat=errored'), { name: 'QueryError', message: /Did you mean "status"/ });
    await appendFile(joined.joinedPath, '\n');
    await assert.rejects(ask('text~a'), { name: 'IndexMismatchError' });
  });

  it('agrees with a plain evaluation of every text, for any texts', async () => {
    const texts = fc.array(fc.string({ unit: anyCharacter, maxLength: 12 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(texts, fc.string({ unit: anyCharacter, minLength: 1, maxLength: 2 }), async (answers, part) => {
        const made = await makeJoined(answers.map((text, index) => [`id-${index}`, succeeded(text)]));
        try {
          const quoted = part.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
          const { rows } = await queryResults({ ...made, query: `text~"${quoted}"` }, quiet);
          const plain = answers.flatMap((text, row) => (text.toLowerCase().includes(part.toLowerCase()) ? [row] : []));
          assert.deepEqual([...rows], plain);
        } finally {
          await made.remove();
        }
      }),
      { numRuns: runs(25) },
    );
  });

  it('stops an endless pattern', async () => {
    const slow = await makeJoined([['a', succeeded(`${'a'.repeat(60)}b`)]]);
    try {
      await assert.rejects(queryResults({ ...slow, query: 'text~/^(a+)+$/' }, quiet, 50), {
        name: 'PatternTimeError',
        message: /is too slow/,
      });
    } finally {
      await slow.remove();
    }
  });
});
