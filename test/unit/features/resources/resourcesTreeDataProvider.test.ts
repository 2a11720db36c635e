import assert from 'node:assert/strict';
import { environments } from '../../../../src/features/resources/kinds/environments';
import type { ResourceList } from '../../../../src/features/resources/lists/resourceList';
import type { ResourceKind } from '../../../../src/features/resources/resourceKind';
import type { ResourceNode } from '../../../../src/features/resources/resourceNodes';
import type { ResourceStore } from '../../../../src/features/resources/resourceStore';
import { ResourcesTreeDataProvider } from '../../../../src/features/resources/resourcesTreeDataProvider';

describe('features/resources/resourcesTreeDataProvider', () => {
  it('read what a group tells beside its title when they are asked for, also where VS Code loses the unfolding', async () => {
    const unfolded: string[] = [];
    const store = {
      listOf: (_: string, { kind }: ResourceKind) => ({ unfold: async () => void unfolded.push(kind) }) as unknown as ResourceList,
    } as unknown as ResourceStore;
    const tree = new ResourcesTreeDataProvider(
      store,
      undefined as never,
      () => undefined as never,
      () => true,
    );
    const value = { id: 'env_1', name: 'Our machines', config: { type: 'self_hosted' } };
    const node = { row: 'resource', connection: 'Lab', kind: 'environment', id: 'env_1', of: environments, value } as ResourceNode;
    const below = await tree.getChildren(node);
    assert.deepEqual(
      below.map(({ row }) => row),
      ['group', 'group'],
    );
    // The sessions below it tell nothing by themselves: they are read when their group is unfolded.
    assert.deepEqual(unfolded, ['work']);
    tree.dispose();
  });
});
