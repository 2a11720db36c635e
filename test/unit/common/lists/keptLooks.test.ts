import assert from 'node:assert/strict';
import { KeptLooks } from '../../../../src/common/lists/keptLooks';

describe('common/lists/keptLooks', () => {
  it('makes anew of ten thousand things what depends on something else now, and all of them after a while', () => {
    let now = 0;
    let made = 0;
    const looks = new KeptLooks<object, number>(() => now);
    const things = Array.from({ length: 10_000 }, () => ({}));
    const draw = (changed = -1) => things.map((thing, index) => looks.of(thing, [index === changed, 'same'], () => ++made));
    const first = draw();
    assert.deepEqual(draw(), first);
    assert.equal(made, 10_000);
    assert.equal(draw(7)[7], 10_001);
    assert.equal(made, 10_001);
    now = 20_000;
    draw(7);
    assert.equal(made, 20_001);
    now = -1;
    draw(7);
    assert.equal(made, 30_001, 'A clock that was put back keeps nothing for ever.');
  });
});
