import assert from 'node:assert/strict';
import { ByValue } from '../../../src/common/byValue';

describe('common/byValue', () => {
  it('tells a change of what is read, once, and no change where the same is read again', () => {
    let value: unknown = { proxy: 'http://a:1', noProxy: ['x'] };
    const seen = new ByValue(() => value);
    assert.equal(seen.hasChanged(), false);
    value = { proxy: 'http://a:1', noProxy: ['x'] };
    assert.equal(seen.hasChanged(), false);
    value = { proxy: 'http://a:1', noProxy: ['x', 'y'] };
    assert.deepEqual([seen.hasChanged(), seen.hasChanged()], [true, false]);
    value = undefined;
    assert.deepEqual([seen.hasChanged(), seen.hasChanged()], [true, false]);
  });
});
