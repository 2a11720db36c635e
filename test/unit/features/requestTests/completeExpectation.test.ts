import assert from 'node:assert/strict';
import { completeExpectation } from '../../../../src/features/requestTests/expectationCompletions';

describe('features/requestTests/completeExpectation', () => {
  const labels = (before: string, ids: readonly string[] = []) => completeExpectation(before, ids).map(({ label }) => label);

  it('offers a complete line for each check on an empty line', () => {
    const [first] = completeExpectation('', []);
    assert.deepEqual(first, { label: 'equals', snippet: '{"custom_id": "$1", "equals": "$2"}', replaced: 0 });
    assert.equal(completeExpectation('  con', [])[0]?.replaced, 3);
    assert.equal(labels('').includes('custom_id'), false);
  });

  it('offers keys that the line lacks', () => {
    assert.deepEqual(labels('{').slice(0, 2), ['custom_id', 'equals']);
    assert.deepEqual(completeExpectation('{"custom_id": "a", "cont', [])[0], { label: 'equals', snippet: '"equals": "$1"', replaced: 5 });
    assert.equal(labels('{"custom_id": "a", ').includes('custom_id'), false);
    assert.deepEqual(labels('{"equals": "a'), []);
    assert.deepEqual(labels('{"equals": "a"} '), []);
  });

  it("offers the request file's IDs, and the only value of json", () => {
    assert.deepEqual(completeExpectation('{"custom_id": "', ['a', 'b$"}']), [
      { label: 'a', snippet: '"a"', replaced: 1 },
      { label: 'b$"}', snippet: '"b\\$\\\\"\\}"', replaced: 1 },
    ]);
    assert.deepEqual(labels('{"custom_id":', ['a']), ['a']);
    assert.deepEqual(labels('{"json": "s'), ['strict']);
  });
});
