import assert from 'node:assert/strict';
import { translate } from '../../../../src/shared/session/translateText';

describe('shared/session/translateText', () => {
  it('inserts arguments where the translation has them', () => {
    assert.equal(translate({ 'a {0} b {1}': 'B {1} A {0}' }, 'a {0} b {1}', ['x', 2]), 'B 2 A x');
    assert.equal(translate(undefined, 'a {0} {1}', ['{1}', 'y']), 'a {1} y');
    assert.equal(translate({}, 'toString', []), 'toString');
  });
});
