import assert from 'node:assert/strict';
import { loadMoreRow, NodeTree, type TreeRow } from '../../../../src/common/tree/nodeTree';
import type { TreeNode } from '../../../../src/common/tree/treeNode';

interface Row {
  readonly id: string;
  readonly words: string;
  readonly below?: readonly Row[];
  /** Time after which the words change, in milliseconds. */
  readonly staysFor?: number;
}

describe('common/tree/nodeTree', () => {
  let roots: readonly Row[];
  let now: number;
  let rendered: string[];
  let unfolded: string[];
  let tree: NodeTree<Row>;
  let told: (readonly string[] | 'all')[];
  const row = (id: string, words = id, below?: readonly Row[]): Row => ({ id, words, ...(below && { below }) });
  const render = ({ id, words, below, staysFor }: Row): TreeRow => {
    rendered.push(id);
    return {
      ...{ label: words, description: '', icon: 'file', color: undefined, abilities: '', spoken: words, target: { id } },
      ...(below !== undefined && { folding: 'collapsed' as const }),
      until: staysFor === undefined ? Number.POSITIVE_INFINITY : now + staysFor,
    };
  };
  const nodeAt = (index: number, parent?: TreeNode<Row>) => tree.getChildren(parent)[index] ?? assert.fail(`no node ${index}`);
  const labels = (parent?: TreeNode<Row>) => tree.getChildren(parent).map(({ item }) => item.label);

  beforeEach(() => {
    [roots, now, rendered, unfolded, told] = [[], 0, [], [], []];
    tree = new NodeTree<Row>({
      roots: () => roots,
      below: one => {
        unfolded.push(one.id);
        return one.below ?? [];
      },
      key: ({ id }) => id,
      render,
      hover: async ({ id }) => `hover of ${id}`,
      now: () => now,
    });
    tree.onDidChangeTreeData(nodes => told.push(nodes === undefined ? 'all' : nodes.map(({ key }) => key)));
  });

  it('renders and reports only changed rows, in the same node', () => {
    roots = Array.from({ length: 10_000 }, (_, index) => row(`r${index}`));
    const before = nodeAt(7);
    rendered = [];
    roots = roots.with(7, row('r7', 'other'));
    tree.refresh();
    assert.deepEqual([rendered, told], [['r7'], [['r7']]]);
    assert.equal(nodeAt(7), before);
    assert.equal(before.item.label, 'other');
    roots = roots.with(7, row('r7', 'other'));
    tree.refresh();
    assert.equal(told.length, 1, 'It looks the same.');
  });

  it('redraws the whole tree when a root was added, removed or moved, or very many rows changed', () => {
    roots = [row('a'), row('b')];
    tree.getChildren();
    const changes: (readonly Row[])[] = [
      [row('a'), row('b'), row('c')],
      [row('b'), row('a'), row('c')],
      [row('b'), row('a')],
    ];
    for (const now of changes) {
      roots = now;
      tree.refresh();
    }
    assert.deepEqual(told, ['all', 'all', 'all']);
    roots = Array.from({ length: 300 }, (_, index) => row(`r${index}`));
    tree.refresh();
    roots = roots.map(({ id }) => row(id, 'other'));
    tree.refresh();
    assert.equal(told.at(-1), 'all');
  });

  it('creates children when their row is expanded, and then keeps them up to date', () => {
    roots = [row('a', 'a', [row('a1')]), row('b', 'b', [row('b1')])];
    const [a, b] = [nodeAt(0), nodeAt(1)];
    tree.refresh();
    assert.deepEqual([rendered, unfolded], [['a', 'b'], []]);
    const a1 = nodeAt(0, a);
    assert.deepEqual([a1.key, a1.parent, unfolded], ['a1', a, ['a']]);
    roots = [row('a', 'a', [row('a0'), row('a1')]), row('b', 'b', [row('b0')])];
    tree.refresh();
    assert.deepEqual(told, [['a']], 'Nothing is drawn below b.');
    assert.deepEqual(labels(a), ['a0', 'a1']);
    assert.equal(nodeAt(1, a), a1);
    assert.deepEqual(labels(b), ['b0']);
    roots = [row('a', 'other', [row('a0', 'other'), row('a1')]), row('b', 'b', [row('b0')])];
    told = [];
    tree.refresh();
    assert.deepEqual(told, [['a']], 'A row is redrawn with what is below it.');
  });

  it('keeps children that VS Code requests below a removed row', () => {
    roots = [row('a', 'a', [row('a1')])];
    const gone = nodeAt(0);
    roots = [];
    tree.refresh();
    roots = [row('a', 'a', [row('a1')])];
    tree.refresh();
    const a1 = nodeAt(0, nodeAt(0));
    tree.getChildren(gone);
    roots = [row('a', 'a', [row('a1', 'other')])];
    tree.refresh();
    assert.deepEqual([nodeAt(0, nodeAt(0)), a1.item.label, told.at(-1)], [a1, 'other', ['a1']]);
  });

  it('lets a row become a parent, and a parent a leaf', () => {
    roots = [row('a')];
    const node = nodeAt(0);
    assert.equal(node.item.collapsibleState, 0);
    roots = [row('a', 'a', [row('a1'), row('a2')])];
    tree.refresh();
    assert.equal(node.item.collapsibleState, 1);
    assert.deepEqual(labels(node), ['a1', 'a2']);
    roots = [row('a')];
    tree.refresh();
    assert.deepEqual(told, [['a'], ['a']]);
    assert.deepEqual(tree.getChildren(node), []);
  });

  it('renders rows with relative times again when they are due', () => {
    roots = [{ ...row('young'), staysFor: 50 }, row('old')];
    tree.getChildren();
    rendered = [];
    now = 49;
    tree.refresh();
    assert.deepEqual(rendered, []);
    now = 50;
    tree.refresh();
    assert.deepEqual([rendered, told], [['young'], []]);
  });

  it('passes the current target of a row to commands', () => {
    roots = [row('a')];
    assert.deepEqual(nodeAt(0).target, { id: 'a' });
  });

  it('shows why no more could be loaded', () => {
    const command = { command: 'more', title: 'More' };
    assert.equal(loadMoreRow(undefined, command).label, 'Load More');
    const { label, tooltip } = loadMoreRow('no answer', command);
    assert.deepEqual([label, tooltip], ["Couldn't load more. Try again", 'no answer']);
  });

  it('loads children when their row is expanded, even after they were dropped', async () => {
    let loaded: readonly Row[] = [];
    tree = new NodeTree<Row>({
      roots: () => roots,
      below: one => (one.id === 'a' ? loaded : []),
      load: async ({ id }) => {
        loaded = id === 'a' ? [row('one'), row('two')] : loaded;
      },
      key: ({ id }) => id,
      render,
      hover: async () => '',
      now: () => now,
    });
    roots = [row('a', 'a', [])];
    const [a] = await tree.unfold();
    const keys = async () => (await tree.unfold(a)).map(({ key }) => key);
    assert.deepEqual(await keys(), ['one', 'two']);
    loaded = [];
    tree.refresh();
    assert.deepEqual(a?.children, []);
    assert.deepEqual(await keys(), ['one', 'two']);
  });
});
