import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { searchRequests } from '../../../../../src/features/requests/language/goToRequest';

const ids = ['b-1', 'a-b-1', undefined, 'B-10', 'c', 'b-100'];
const found = (typed: string, limit = 10) => searchRequests(ids, typed, limit).map(({ line }) => line);

describe('features/requests/language/searchRequests', () => {
  it('finds IDs that start with the typed text, then those that contain it', () => {
    assert.deepEqual(found('b-1'), [0, 3, 5, 1]);
    assert.deepEqual(found('#b-10'), [3, 5]);
    assert.deepEqual(found('b-100'), [5]);
    assert.deepEqual(found(' B-1 '), [0, 3, 5, 1]);
    assert.deepEqual(found('zz'), []);
  });

  it('lists an exact ID before longer ones on earlier lines', () => {
    assert.deepEqual(
      searchRequests(['q-10', 'q-1'], 'q-1', 10).map(({ id }) => id),
      ['q-1', 'q-10'],
    );
  });

  it('finds a line by its number', () => {
    assert.deepEqual(found(':4'), [3]);
    assert.deepEqual(found(':3'), []);
    assert.deepEqual(found(':0'), []);
    assert.deepEqual(found(':'), []);
  });

  it('lists every line with an ID, up to the limit', () => {
    assert.deepEqual(found(''), [0, 1, 3, 4, 5]);
    assert.deepEqual(found('', 2), [0, 1]);
    assert.deepEqual(found('b', 3), [0, 3, 5]);
  });

  it('reads no more IDs of a large file than needed, and finds an exact ID beyond the limit', () => {
    const many = [...Array.from({ length: 1000 }, (_, line) => `request-${line}`), 'request'];
    const lower = mock.method(String.prototype, 'toLowerCase');
    const listed = ['', 'request'].map(typed => searchRequests(many, typed, 10).map(({ line }) => line));
    lower.mock.restore();
    assert.deepEqual(listed, [[...Array(10).keys()], [1000, ...Array(9).keys()]]);
    assert.ok(lower.mock.callCount() < 50, `${lower.mock.callCount()} ids`);
  });
});
