import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../../../../src/client/serviceClient';
import { type FolderMove, moveMemory, planFolderMove } from '../../../../../../src/features/resources/memories/folders/moveFolder';
import { doPlan } from '../../../../../../src/features/resources/memories/folders/storePlan';
import { fillPlaceholders as t } from '../../../requests/fillPlaceholders';
import { failure } from '../../../sessions/panel/sessionUnderTest';

interface Kept {
  readonly id: string;
  path: string;
  content_sha256: string;
}

/** A store that lists by prefix and only moves unchanged memories to free paths. */
function storeOf(...paths: readonly string[]) {
  const kept = paths.map((path, index): Kept => ({ id: `mem_${index}`, path, content_sha256: `sha ${path}` }));
  const memories = () => ({
    list: async ({ pathPrefix }: { pathPrefix: string }) => ({
      items: kept.filter(({ path }) => path.startsWith(pathPrefix)).map(one => ({ type: 'memory', ...one })),
      nextCursor: undefined,
      requestId: undefined,
    }),
    update: async (id: string, { path, precondition }: { path: string; precondition: { content_sha256: string } }) => {
      const found = kept.find(one => one.id === id);
      if (found?.content_sha256 !== precondition.content_sha256 || kept.some(one => one.path === path)) {
        throw failure('conflict', 'refused', 409);
      }
      found.path = path;
      return { data: { type: 'memory', ...found }, requestId: undefined };
    },
  });
  return { kept, client: { memoryStores: { memories } } as unknown as ServiceClient };
}

const place = (path: string) => ({ connection: 'Lab', storeId: 's', path });
const plan = (client: ServiceClient, from: string, to: string, most = 100) => planFolderMove(client, place(from), to, most, t);
const pathsOf = (moves: readonly FolderMove[]) => moves.map(({ path, to }) => [path, to]);

describe('features/resources/memories/folders/folderMoves', () => {
  it('plans a new path for each memory in a folder, however deep, and for nothing else', async () => {
    const { client } = storeOf('/a/x.md', '/a/b/y.md', '/ab/z.md', '/a.md');
    assert.deepEqual(pathsOf(await plan(client, '/a', '/c/d')), [
      ['/a/x.md', '/c/d/x.md'],
      ['/a/b/y.md', '/c/d/b/y.md'],
    ]);
  });

  it('plans nothing where a path is taken, too long or within the folder, or where there are too many', async () => {
    const { client, kept } = storeOf('/a/x.md', '/a/y.md', '/c/y.md');
    const before = structuredClone(kept);
    await assert.rejects(plan(client, '/a', '/c'), /\/c\/y\.md already exists/);
    await assert.rejects(plan(client, '/a', '/a/b'), /\/a can't be moved into itself/);
    await assert.rejects(plan(client, '/a', `/${'n'.repeat(1020)}`), /\/x\.md|nnn/);
    await assert.rejects(plan(client, '/a', '/d', 1), /More than 1 items/);
    assert.deepEqual(kept, before);
  });

  it('moves what is as it was planned, leaves what was changed meanwhile, and loses nothing', async () => {
    const { client, kept } = storeOf('/a/x.md', '/a/y.md', '/a/z.md');
    const moves = await plan(client, '/a', '/c');
    Object.assign(kept[1] ?? {}, { content_sha256: 'theirs' });
    kept.push({ id: 'new', path: '/c/z.md', content_sha256: 'new' });
    const move = async (planned: FolderMove) => void (await moveMemory(client, 's', planned));
    assert.deepEqual(await doPlan('Moving', moves, move), {
      done: 1,
      left: 2,
      failures: ['/a/y.md: changed in the meantime', '/a/z.md: changed in the meantime'],
    });
    assert.deepEqual(
      kept.map(({ id, path }) => [id, path]),
      [
        ['mem_0', '/c/x.md'],
        ['mem_1', '/a/y.md'],
        ['mem_2', '/a/z.md'],
        ['new', '/c/z.md'],
      ],
    );
  });

  it('goes no further when it is called off', async () => {
    const { client, kept } = storeOf('/a/x.md', '/a/y.md');
    const lifetime = new AbortController();
    const move = async (planned: FolderMove) => {
      await moveMemory(client, 's', planned);
      lifetime.abort();
    };
    const result = await doPlan('Moving', await plan(client, '/a', '/c'), move, lifetime.signal);
    assert.deepEqual([result.failures, kept.map(({ path }) => path)], [[], ['/c/x.md', '/a/y.md']]);
  });
});
