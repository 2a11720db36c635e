import assert from 'node:assert/strict';
import { changedPlaces } from '../../../../src/common/lists/changedPlaces';

describe('common/lists/changedPlaces', () => {
  it('tells where something else stands, as long as it is of the same kind and there are as many', () => {
    const [a, b, other] = [{ id: 'a' }, { id: 'b' }, { id: 'b' }];
    const isAlike = (one: { id: string }, now: { id: string }) => one.id === now.id;
    assert.deepEqual(changedPlaces([a, b], [a, b], isAlike), []);
    assert.deepEqual(changedPlaces([a, b], [a, other], isAlike), [1]);
    assert.equal(changedPlaces([a, b], [b, a], isAlike), undefined);
    assert.equal(changedPlaces([a, b], [a], isAlike), undefined);
    assert.equal(changedPlaces([a], [a, b], isAlike), undefined);
  });
});
