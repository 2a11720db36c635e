import assert from 'node:assert/strict';
import { toReason } from '../../runner/mochaFile';

describe('project/mochaFile', () => {
  it('says in one line what failed, what was waited for, and where in the test', () => {
    const error = new Error(
      "waitFor: Timeout 9ms exceeded.\nCall log:\n\u001B[2m  - waiting for locator('.toast').first() to be visible\u001B[22m\n",
    );
    error.stack = `${error.message}\n    at Page.row (/somewhere/page.ts:4:2)\n    at Context.<anonymous> (/somewhere/view.test.ts:31:7)`;
    assert.equal(
      toReason(error),
      "waitFor: Timeout 9ms exceeded., waiting for locator('.toast').first() to be visible, at view.test.ts:31",
    );
  });

  it('says what an assertion compared', () => {
    assert.throws(
      () => assert.equal(1, 2),
      (error: Error) => /^Expected values to be strictly equal: 1 !== 2, at mochaFile\.test\.ts:\d+$/.test(toReason(error)),
    );
    assert.throws(
      () => assert.deepEqual(Array(500).fill('long'), []),
      (error: Error) => toReason(error).length < 350,
    );
  });

  it('says no more than is known', () => {
    const error = new Error('false == true');
    error.stack = '';
    assert.equal(toReason(error), 'false == true');
    assert.equal(toReason('it ended'), 'it ended');
  });
});
