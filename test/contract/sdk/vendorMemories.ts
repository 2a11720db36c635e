import assert from 'node:assert/strict';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import type { VendorSdk } from './vendorSdk';

interface Store {
  readonly id: string;
  readonly name: string;
  readonly archived_at?: string | null;
}

interface Memory {
  readonly id: string;
  readonly path: string;
  readonly content_sha256: string;
  readonly memory_version_id: string;
  readonly content?: string | null;
}

interface Version {
  readonly id: string;
  readonly operation: string;
  readonly content?: string | null;
}

type Pages<T> = AsyncIterable<T>;
interface In {
  readonly memory_store_id: string;
}

/** Methods for memory stores in both versions of the vendor's SDK. The compiler checks that they exist. */
export interface VendorMemories {
  create(body: { name: string; description?: string }): Promise<Store>;
  retrieve(id: string): Promise<Store>;
  update(id: string, body: { name?: string | null }): Promise<Store>;
  list(query: { limit: number; include_archived?: boolean }): Pages<Store>;
  archive(id: string): Promise<Store>;
  delete(id: string): Promise<{ readonly type: string }>;
  readonly memories: {
    create(storeId: string, body: { path: string; content: string; view?: 'full' }): Promise<Memory>;
    retrieve(id: string, query: In & { view?: 'full' }): Promise<Memory>;
    update(
      id: string,
      body: In & { content?: string; path?: string; precondition?: { type: 'content_sha256'; content_sha256: string } },
    ): Promise<Memory>;
    list(
      storeId: string,
      query: { limit: number; path_prefix?: string; depth?: number },
    ): Pages<{ readonly path: string; readonly type: string }>;
    delete(id: string, query: In & { expected_content_sha256?: string }): Promise<{ readonly type: string }>;
  };
  readonly memoryVersions: {
    list(storeId: string, query: { limit: number; memory_id?: string; operation?: 'created' }): Pages<Version>;
    retrieve(id: string, query: In & { view?: 'full' }): Promise<Version>;
    redact(id: string, body: In): Promise<Version>;
  };
}

export interface VendorMemoriesSdk extends Pick<VendorSdk, 'name' | 'dialect' | 'errors'> {
  /** Creates a client without retries. */
  connect(url: string, key: string): VendorMemories;
}

/** Tests every call of the emulator's memory stores with the vendor's code. */
export function describeVendorMemories(sdk: VendorMemoriesSdk): void {
  describe(`src/emulator memory stores with ${sdk.name}`, () => {
    let emulator: Emulator;
    let client: VendorMemories;

    beforeEach(async () => {
      emulator = await startEmulator({ dialect: sdk.dialect });
      client = sdk.connect(emulator.url, emulator.key);
    });
    afterEach(() => emulator.stop());

    const all = async <T>(pages: Pages<T>): Promise<T[]> => {
      const items: T[] = [];
      for await (const item of pages) {
        items.push(item);
      }
      return items;
    };

    it('creates, changes, lists, archives and deletes stores', async () => {
      const { id } = await client.create({ name: 'One', description: 'd' });
      await client.create({ name: 'Two' });
      assert.equal((await client.update(id, { name: 'First' })).name, 'First');
      assert.equal((await client.retrieve(id)).name, 'First');
      assert.deepEqual(
        (await all(client.list({ limit: 1 }))).map(({ name }) => name),
        ['Two', 'First', 'Team Notes'],
      );
      assert.ok((await client.archive(id)).archived_at);
      assert.equal((await all(client.list({ limit: 2 }))).length, 2);
      assert.equal((await all(client.list({ limit: 2, include_archived: true }))).length, 3);
      await assert.rejects(client.memories.create(id, { path: '/a', content: '' }), sdk.errors.BadRequestError);
      assert.equal((await client.delete(id)).type, 'memory_store_deleted');
    });

    it("writes, reads, moves and deletes memories, on condition that they didn't change", async () => {
      const { id: memory_store_id } = await client.create({ name: 'One' });
      const created = await client.memories.create(memory_store_id, { path: '/a/b.md', content: 'one', view: 'full' });
      assert.equal(created.content, 'one');
      await client.memories.create(memory_store_id, { path: '/c.md', content: '' });
      await assert.rejects(client.memories.create(memory_store_id, { path: '/c.md', content: '' }), sdk.errors.ConflictError);
      const precondition = { type: 'content_sha256', content_sha256: created.content_sha256 } as const;
      const changed = await client.memories.update(created.id, { memory_store_id, content: 'two', precondition });
      await assert.rejects(client.memories.update(created.id, { memory_store_id, content: 'x', precondition }), sdk.errors.ConflictError);
      assert.equal((await client.memories.retrieve(created.id, { memory_store_id, view: 'full' })).content, 'two');
      const rows = await all(client.memories.list(memory_store_id, { limit: 1, path_prefix: '/', depth: 1 }));
      assert.deepEqual(
        rows.map(({ path, type }) => [path, type]),
        [
          ['/a/', 'memory_prefix'],
          ['/c.md', 'memory'],
        ],
      );
      assert.equal((await client.memories.update(created.id, { memory_store_id, path: '/d.md' })).path, '/d.md');
      const expected_content_sha256 = changed.content_sha256;
      assert.equal((await client.memories.delete(created.id, { memory_store_id, expected_content_sha256 })).type, 'memory_deleted');
      await assert.rejects(client.memories.retrieve(created.id, { memory_store_id }), sdk.errors.NotFoundError);
    });

    it('lists, reads and redacts versions', async () => {
      const { id: memory_store_id } = await client.create({ name: 'One' });
      const { id, memory_version_id: first } = await client.memories.create(memory_store_id, { path: '/a', content: 'one' });
      await client.memories.update(id, { memory_store_id, content: 'two' });
      const operations = (await all(client.memoryVersions.list(memory_store_id, { limit: 1, memory_id: id }))).map(
        version => version.operation,
      );
      assert.deepEqual(operations, ['modified', 'created']);
      assert.equal((await all(client.memoryVersions.list(memory_store_id, { limit: 9, operation: 'created' }))).length, 1);
      assert.equal((await client.memoryVersions.retrieve(first, { memory_store_id, view: 'full' })).content, 'one');
      assert.equal((await client.memoryVersions.redact(first, { memory_store_id })).content, null);
      assert.equal((await client.memoryVersions.retrieve(first, { memory_store_id })).content, null);
    });
  });
}
