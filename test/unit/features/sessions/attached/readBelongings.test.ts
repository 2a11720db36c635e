import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../../../src/client/serviceClient';
import { readBelongings } from '../../../../../src/features/sessions/attached/attachedPresentation';

const { signal } = new AbortController();
const page = (items: readonly object[]) => ({ items, nextCursor: undefined, requestId: undefined });
const absent = async () => {
  throw new Error('404');
};

function clientOf(
  sessions: object,
  files: object,
  vaults: object = { list: absent },
): Pick<ServiceClient, 'sessions' | 'files' | 'vaults'> {
  const retrieve = async () => ({ data: { id: 's', type: 'session', resources: [{ type: 'file', id: 'old' }] }, requestId: undefined });
  return { sessions: { retrieve, ...sessions }, files, vaults } as object as ServiceClient;
}

describe('features/sessions/attached/readBelongings', () => {
  it('reads resources of every kind, created files, and the names of files and vaults', async () => {
    const store = (id: string) => ({ type: 'memory_store', memory_store_id: id });
    const mine = { id: 'f2', filename: 'made.md', scope: { type: 'session', id: 's' } };
    const client = clientOf(
      {
        listResources: async () => page([{ type: 'file', id: 'r1' }, store('a'), store('b')]),
        listFiles: async () => page([{ id: 'f1' }, mine]),
      },
      { list: async () => page([{ id: 'f1', filename: 'a.txt' }, { id: 'f3' }]) },
      { list: async () => page([{ id: 'v1', display_name: 'Keys' }, { id: 'v2' }]) },
    );
    const { resources, created, names } = await readBelongings(client, 's', signal);
    assert.equal(resources.length, 3);
    // A service that ignores the filter returns all files.
    assert.deepEqual(created, [mine]);
    assert.deepEqual(
      [...names],
      [
        ['f1', 'a.txt'],
        ['v1', 'Keys'],
      ],
    );
  });

  it('uses the session if the service has no other list', async () => {
    const { resources, created, names } = await readBelongings(
      clientOf({ listResources: absent, listFiles: absent }, { list: absent }),
      's',
      signal,
    );
    assert.deepEqual([resources, created, names.size], [[{ type: 'file', id: 'old' }], [], 0]);
  });

  it("fails if the session can't be read", async () => {
    const client = clientOf({ retrieve: absent, listResources: absent, listFiles: absent }, { list: absent });
    await assert.rejects(readBelongings(client, 's', signal), /404/);
  });
});
