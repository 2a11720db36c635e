import assert from 'node:assert/strict';
import { toCreateTitle, toReviewCount } from '../../../../../src/features/requests/lenses/lensPresentation';
import { fillPlaces } from '../fillPlaces';

describe('features/requests/lenses/lensPresentation', () => {
  it('names requests and size of the batch', () => {
    assert.equal(toCreateTitle(412, 1_203_400, fillPlaces, 'en'), 'Create Batch (412 requests, 1.2 MB)');
    assert.equal(toCreateTitle(412, undefined, fillPlaces, 'en'), 'Create Batch (412 requests)');
  });

  it('says how many need review where there is little room', () => {
    assert.equal(toReviewCount(1, fillPlaces, 'en'), '1 needs review');
    assert.equal(toReviewCount(1200, fillPlaces, 'en'), '1,200 need review');
  });
});
