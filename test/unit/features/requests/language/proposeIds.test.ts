import assert from 'node:assert/strict';
import { proposeIds } from '../../../../../src/features/requests/language/proposeIds';

describe('features/requests/language/proposeIds', () => {
  it('continues a number with as many digits, skipping existing IDs', () => {
    assert.deepEqual(
      proposeIds(['q-0007', 'eval_2_b'], id => id === 'q-0008'),
      ['q-0009', 'eval_3_b'],
    );
    assert.deepEqual(
      proposeIds(['q-99'], () => false),
      ['q-100'],
    );
  });

  it('numbers IDs without a number, and starts with a first one', () => {
    assert.deepEqual(
      proposeIds(['capital'], () => false),
      ['capital-2'],
    );
    assert.deepEqual(
      proposeIds([], () => false),
      ['request-1'],
    );
  });

  it('proposes only valid IDs', () => {
    assert.deepEqual(
      proposeIds(['x'.repeat(64), 'a b-1'], () => false),
      ['request-1'],
    );
    assert.deepEqual(
      proposeIds(['9'.repeat(40)], () => false),
      ['request-1'],
    );
  });
});
