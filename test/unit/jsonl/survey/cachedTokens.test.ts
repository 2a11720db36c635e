import assert from 'node:assert/strict';
import { costOf } from '../../../../src/features/batches/runCost';
import { surveyFile } from '../../../../src/jsonl/survey/surveyFile';
import { quiet } from '../querying/joinedFile';
import { surveyLine } from './surveyTexts';

const options = { minimumCachedTokens: 1024 };
const price = { input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 };

describe('jsonl/survey: tokens that can be cached', () => {
  it("are part of a file's maximum cost", async () => {
    const { models } = await surveyFile('test/fixtures/results/one-hour.requests.jsonl', options, quiet);
    const [model = assert.fail()] = models;
    const most = costOf(model, price).high;
    assert.ok(most > 0.0076 && most < 0.0077, String(most));
  });

  it('reach to the last marker of each duration, also one at the top or inside a block', () => {
    const text = (words: string, ttl?: string) => ({
      type: 'text',
      text: words.repeat(200),
      ...(ttl && { cache_control: { type: 'ephemeral', ttl } }),
    });
    const cached = (params: object) => {
      const line = JSON.stringify({ custom_id: 'a', params: { model: 'm', max_tokens: 1, ...params } });
      const [{ cached5m, cached1h, input } = assert.fail()] = surveyLine(line, options).models;
      return { cached5m, cached1h, all: input.high };
    };
    const user = (...content: readonly object[]) => ({ messages: [{ role: 'user', content }] });
    const none = cached(user(text('one ')));
    assert.deepEqual([none.cached5m, none.cached1h], [0, 0]);
    const both = cached({ system: [text('one ', '1h')], ...user(text('two ', '5m'), text('three ')) });
    assert.ok(both.cached1h > 0 && both.cached5m > 0 && both.cached1h + both.cached5m < both.all);
    const top = cached({ cache_control: { type: 'ephemeral' }, ...user(text('one ')) });
    assert.ok(top.cached5m > 0 && top.cached1h === 0);
    const inner = cached(user({ type: 'tool_result', tool_use_id: 't', content: [text('one ', '5m')] }));
    assert.equal(inner.cached1h, inner.all);
  });
});
