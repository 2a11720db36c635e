import assert from 'node:assert/strict';
import { Drawn } from '../../../../src/common/lists/drawn';

interface Node {
  readonly id: string;
  look: string;
  below: readonly Node[];
}

describe('common/lists/drawn', () => {
  const node = (id: string, below: readonly Node[] = []): Node => ({ id, look: id, below });
  const shape = (roots: readonly Node[]) => ({ roots, below: ({ below }: Node) => below, lookOf: ({ look }: Node) => look });
  const named = (changed: readonly Node[]) => changed.map(({ id }) => id);
  let drawn: Drawn<Node>;

  beforeEach(() => {
    drawn = new Drawn();
  });

  it('names the roots that look different, and says where there are others than before', () => {
    const [a, b, c] = ['a', 'b', 'c'].map(id => node(id)) as [Node, Node, Node];
    assert.equal(drawn.take(shape([a, b, c])).wasSame, false);
    b.look = 'other';
    assert.deepEqual(drawn.take(shape([a, b, c])), { wasSame: true, changed: [b] });
    assert.deepEqual(drawn.take(shape([a, b, c])), { wasSame: true, changed: [] });
    for (const others of [[b, a, c], [b, a], [b, a, node('d')], []]) {
      assert.equal(drawn.take(shape(others)).wasSame, false, named(others).join(' '));
    }
  });

  it('names of ten thousand rows below a root the one that looks different, and the root where one came or went', () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => node(`r${index}`));
    const root = node('root', rows);
    drawn.take(shape([root]));
    (rows[77] as Node).look = 'other';
    assert.deepEqual(named(drawn.take(shape([root])).changed), ['r77']);
    root.below = rows.slice(1);
    (rows[77] as Node).look = 'another';
    assert.deepEqual(named(drawn.take(shape([root])).changed), ['root'], 'What is below it is drawn with it.');
    root.below = [node('new'), ...root.below];
    assert.deepEqual(named(drawn.take(shape([root])).changed), ['root']);
    root.below = [...root.below].reverse();
    assert.deepEqual(named(drawn.take(shape([root])).changed), ['root']);
  });
});
