import assert from 'node:assert/strict';
import { memories, parentOfPath, storeIdOf } from '../../../../../src/features/resources/kinds/memories';
import { memoryStores } from '../../../../../src/features/resources/kinds/memoryStores';
import { context } from '../presenting';

const folder = { id: '/a/deep/', type: 'memory_prefix', path: '/a/deep/' };
const memory = { id: 'mem_1', type: 'memory', path: '/a/b.md', content_size_bytes: 4200, updated_at: '2026-06-01T11:00:00Z' };

describe('features/resources/kinds/memories', () => {
  it('shows a memory by its last name with size and age, a folder as what it is', () => {
    const { label, description, abilities } = memories.row(memory, context);
    assert.deepEqual([label, description, abilities], ['b.md', '4.2 KB · 1 hr. ago', 'resource memory deletable']);
    assert.deepEqual([memories.row(folder, context).label, memories.row(folder, context).icon], ['deep', 'folder']);
    assert.deepEqual([memories.isFolder?.(folder), memories.isFolder?.(memory)], [true, false]);
    assert.deepEqual([memories.children?.(folder), memories.children?.(memory)], [[memories], []]);
  });

  it('leads from a path through all folders to the store', () => {
    const reference = { connection: 'Lab', kind: 'memory', id: 'mem_1', parent: parentOfPath('Lab', 'memstore_1', '/a/deep/b.md') };
    assert.deepEqual(
      [reference.parent.id, reference.parent.parent?.id, reference.parent.parent?.parent?.id],
      ['/a/deep/', '/a/', 'memstore_1'],
    );
    assert.equal(storeIdOf(reference), 'memstore_1');
    assert.deepEqual(parentOfPath('Lab', 's', '/top.md'), { connection: 'Lab', kind: 'memoryStore', id: 's' });
  });

  it('asks for what is directly below a folder, of the store that it is in', async () => {
    const asked: unknown[] = [];
    const client = {
      memoryStores: {
        memories: (storeId: string) => ({
          list: async (options: object) => {
            asked.push([storeId, options]);
            return { items: [], nextCursor: undefined, requestId: undefined };
          },
        }),
      },
    } as unknown as Parameters<typeof memories.calls>[0];
    await memories.calls(client, parentOfPath('Lab', 's', '/a/b')).list({ limit: 5 });
    await memories.calls(client, parentOfPath('Lab', 's', '/b')).list({});
    assert.deepEqual(asked, [
      ['s', { limit: 5, pathPrefix: '/a/', depth: 1 }],
      ['s', { pathPrefix: '/', depth: 1 }],
    ]);
  });
});

describe('features/resources/kinds/memoryStores', () => {
  const store = { id: 'memstore_1', type: 'memory_store', name: 'Notes', description: 'What\nmatters', created_at: '2026-06-01T11:00:00Z' };

  it('can be written to unless it is archived', () => {
    const { description, abilities } = memoryStores.row(store, context);
    assert.deepEqual(
      [description, abilities],
      ['What\\u{a}matters · 1 hr. ago', 'resource memoryStore deletable editable archivable writable'],
    );
    const archived = memoryStores.row({ ...store, archived_at: '2026-06-01T11:30:00Z' }, context);
    assert.deepEqual([archived.abilities, archived.icon], ['resource memoryStore deletable', 'archive']);
  });
});
