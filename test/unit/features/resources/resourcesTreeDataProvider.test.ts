import assert from 'node:assert/strict';
import { PagedList } from '../../../../src/common/lists/pagedList';
import type { Reference } from '../../../../src/contributions';
import type { Drafts } from '../../../../src/features/resources/definitions/drafts';
import { environments } from '../../../../src/features/resources/kinds/environments';
import type { ResourceList, ResourceStore } from '../../../../src/features/resources/lists/resourceList';
import type { Resource, ResourceKind } from '../../../../src/features/resources/resourceKind';
import { createResourcesTree } from '../../../../src/features/resources/resourcesTreeDataProvider';

describe('features/resources/resourcesTreeDataProvider', () => {
  it('reads a group when it is expanded, even if VS Code loses that event, and omits unsupported groups', async () => {
    const unfolded: string[] = [];
    const value = { id: 'env_1', name: 'Our machines', config: { type: 'self_hosted' } };
    const list = new PagedList<Resource>();
    list.reset('Lab');
    list.acceptFirstPage('Lab', { items: [value], nextCursor: undefined, requestId: undefined });
    const store = {
      connection: 'Lab',
      kinds: [environments],
      listOf: (connection: string, kind: ResourceKind, parent?: Reference) => {
        const unfold = async () => void unfolded.push(kind.kind);
        return { list, connection, kind, parent, isUnfolded: true, summary: () => undefined, unfold } as unknown as ResourceList;
      },
    } as unknown as ResourceStore;
    const drafts = { of: () => [], find: () => undefined } as unknown as Drafts;
    const context = () => ({ translate: (text: string) => text, locale: 'en', now: 0 });
    const tree = createResourcesTree({ store, drafts, context, isReady: () => true });
    const [group] = await tree.unfold();
    const [node] = await tree.unfold(group);
    const below = await tree.unfold(node);
    assert.deepEqual(
      below.map(({ key }) => key.split(' ')[0]),
      ['group', 'group'],
    );
    // The sessions of the environment are read only when their group is expanded.
    assert.deepEqual(unfolded, ['environment', 'work']);
    tree.dispose();
    const without = createResourcesTree({ store, drafts, context, isReady: () => true, isServed: kind => kind !== environments });
    assert.deepEqual(await without.unfold(), []);
    without.dispose();
  });
});
