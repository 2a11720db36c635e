import assert from 'node:assert/strict';
import { withoutEnd, withoutEnds } from '../../../src/shared/trim';

describe('shared/trim', () => {
  it('removes characters only from the ends', () => {
    assert.equal(withoutEnd('/a//b//', '/'), '/a//b');
    assert.equal(withoutEnd('//', '/'), '');
    assert.equal(withoutEnds('-. a-b .-', '-. '), 'a-b');
    assert.equal(withoutEnds('', '-'), '');
    assert.equal(withoutEnds('---', '-'), '');
  });
});
