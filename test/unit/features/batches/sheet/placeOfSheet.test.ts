import assert from 'node:assert/strict';
import { placeOfSheet } from '../../../../../src/features/batches/sheet/placeOfSheet';

describe('features/batches/sheet/placeOfSheet', () => {
  it('opens beside the file that is shown, else in its place', () => {
    assert.equal(placeOfSheet({ isFileShown: true, groups: 1, otherSheet: undefined }), 'beside');
    assert.equal(placeOfSheet({ isFileShown: false, groups: 1, otherSheet: undefined }), 'active');
  });

  it('joins a sheet that is open already rather than make a third column', () => {
    assert.equal(placeOfSheet({ isFileShown: true, groups: 2, otherSheet: 2 }), 2);
    assert.equal(placeOfSheet({ isFileShown: false, groups: 2, otherSheet: 1 }), 1);
  });

  it('covers no file by a sheet while there is one column only', () => {
    assert.equal(placeOfSheet({ isFileShown: true, groups: 1, otherSheet: 1 }), 'beside');
  });
});
