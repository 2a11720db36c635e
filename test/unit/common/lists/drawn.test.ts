import assert from 'node:assert/strict';
import { Drawn } from '../../../../src/common/lists/drawn';

describe('common/lists/drawn', () => {
  const looks = (text: string) => new Map(text.split(' ').map(part => [part[0] ?? '', part.slice(1)]));

  it('names the roots that look different, and says where there are others than before', () => {
    const drawn = new Drawn<string>();
    assert.equal(drawn.take(looks('a1 b1 c1')).wasSame, false);
    assert.deepEqual(drawn.take(looks('a1 b2 c1')), { wasSame: true, changed: ['b'] });
    assert.deepEqual(drawn.take(looks('a1 b2 c1')), { wasSame: true, changed: [] });
    for (const others of ['b2 a1 c1', 'b2 a1', 'b2 a1 d1', 'b2 a1 d1 e1']) {
      assert.equal(drawn.take(looks(others)).wasSame, false, others);
    }
  });
});
