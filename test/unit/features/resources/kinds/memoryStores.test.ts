import assert from 'node:assert/strict';
import { memories, memoryStores, storeIdOf } from '../../../../../src/features/resources/kinds/memoryStores';
import { context } from '../presenting';

const folder = { id: '/a/deep/', type: 'memory_prefix', path: '/a/deep/' };
const memory = { id: 'mem_1', type: 'memory', path: '/a/b.md', content_size_bytes: 4200, updated_at: '2026-06-01T11:00:00Z' };

const lab = { connection: 'Lab' };
const inFolder = { ...lab, kind: 'memory', id: '/a/', parent: { ...lab, kind: 'memoryStore', id: 's' } };

describe('features/resources/kinds/memories', () => {
  it('shows a memory by its last name with size and age, and a folder as a folder', () => {
    const { label, description, abilities } = memories.row(memory, context);
    assert.deepEqual([label, description, abilities], ['b.md', '4.2 KB · 1 hr. ago', 'resource memory deletable']);
    assert.deepEqual([memories.row(folder, context).label, memories.row(folder, context).icon], ['deep', 'folder']);
    assert.deepEqual([memories.isFolder?.(folder), memories.isFolder?.(memory)], [true, false]);
    assert.deepEqual([memories.children?.(folder), memories.children?.(memory)], [[memories], []]);
  });

  it('has its folders and its store as parents', () => {
    assert.equal(storeIdOf({ ...lab, kind: 'memory', id: 'mem_1', parent: { ...inFolder, id: '/a/deep/', parent: inFolder } }), 's');
  });

  it('lists the direct children of a folder, in its store', async () => {
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
    await memories.calls(client, inFolder).list({ limit: 5 });
    await memories.calls(client, inFolder.parent).list({});
    assert.deepEqual(asked, [
      ['s', { limit: 5, pathPrefix: '/a/', depth: 1 }],
      ['s', { pathPrefix: '/', depth: 1 }],
    ]);
  });
});

describe('features/resources/kinds/memoryStores', () => {
  const store = { id: 'memstore_1', type: 'memory_store', name: 'Notes', description: 'What\nmatters', created_at: '2026-06-01T11:00:00Z' };

  it('can be written unless it is archived', () => {
    const { description, abilities } = memoryStores.row(store, context);
    assert.deepEqual(
      [description, abilities],
      ['What\\u{a}matters · 1 hr. ago', 'resource memoryStore deletable editable archivable writable'],
    );
    const archived = memoryStores.row({ ...store, archived_at: '2026-06-01T11:30:00Z' }, context);
    assert.deepEqual([archived.abilities, archived.icon], ['resource memoryStore deletable', 'archive']);
  });
});
