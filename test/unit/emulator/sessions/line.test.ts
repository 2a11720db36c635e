import assert from 'node:assert/strict';
import { addSpan, countSpan, failedSpan, spanFields } from '../../../../src/emulator/sessions/line';
import { noUsage } from '../../../../src/emulator/sessions/sessionRecord';

describe('emulator/sessions/line', () => {
  it('reads from the cache what earlier requests wrote to it, and sums both in the usage', () => {
    const usage = { ...noUsage };
    const first = countSpan(usage, 'x'.repeat(400), 40, 0);
    const second = countSpan(usage, 'x'.repeat(400), 0, 5);
    assert.deepEqual([first.cacheRead, first.cacheWrite, first.output], [0, 1910, 10]);
    assert.deepEqual([second.cacheRead, second.cacheWrite, second.output], [1910, 24, 1]);
    assert.deepEqual([usage.inputTokens, usage.outputTokens, usage.cacheReadTokens, usage.cacheWriteTokens], [24, 11, 1910, 1934]);
    assert.equal(usage.cost, first.cost + second.cost);
    assert.ok(second.cost > 5000 && first.cost < 1000);
  });

  it('adds nothing for a failed request', () => {
    const usage = { ...noUsage };
    addSpan(usage, failedSpan);
    assert.deepEqual(usage, noUsage);
    assert.equal(spanFields(failedSpan).is_error, true);
  });

  it("is shown flat, or under the model's ID", () => {
    const span = countSpan({ ...noUsage }, null, 8, 0);
    assert.deepEqual(spanFields(span).model_usage, {
      input_tokens: 12,
      output_tokens: 2,
      cache_creation_input_tokens: 1802,
      cache_read_input_tokens: 0,
      speed: 'standard',
    });
    assert.deepEqual(spanFields(span, 'm').model_usage, { m: { inputTokens: 12, outputTokens: 2 } });
  });
});
