import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../../../src/client/serviceClient';
import { errorKind } from '../../../../../src/client/transport/errorResponse';
import { ServiceError } from '../../../../../src/client/transport/errors';
import { readBelongings } from '../../../../../src/features/sessions/attaching/manageResources';

const { signal } = new AbortController();
const page = (items: readonly object[]) => ({ items, nextCursor: undefined, requestId: undefined });
const failing = (status: number) => async () => {
  throw new ServiceError(String(status), {
    ...{ kind: errorKind(status, undefined), outcome: 'refused', method: 'GET', host: 'h', path: '/', status },
  });
};
const absent = failing(404);

function clientOf(
  sessions: object,
  files: object,
  vaults: object = { list: absent },
): Pick<ServiceClient, 'sessions' | 'files' | 'vaults'> {
  const retrieve = async () => ({ data: { id: 's', type: 'session', resources: [{ type: 'file', id: 'old' }] }, requestId: undefined });
  return { sessions: { retrieve, ...sessions }, files, vaults } as object as ServiceClient;
}

describe('features/sessions/attaching/readBelongings', () => {
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
    const { resources, created, names, problem } = await readBelongings(
      clientOf({ listResources: absent, listFiles: absent }, { list: absent }),
      's',
      signal,
    );
    assert.deepEqual([resources, created, names.size, problem], [[{ type: 'file', id: 'old' }], [], 0, undefined]);
  });

  it('says which error left a list of what belongs to the session unread', async () => {
    const lists = { listResources: async () => page([]), listFiles: async () => page([]) };
    const files = { list: async () => page([]) };
    const problemOf = async (sessions: object) => (await readBelongings(clientOf({ ...lists, ...sessions }, files), 's', signal)).problem;
    for (const status of [403, 500]) {
      assert.match(String(await problemOf({ listFiles: failing(status) })), new RegExp(String(status)));
      assert.match(String(await problemOf({ listResources: failing(status) })), new RegExp(String(status)));
    }
    assert.equal(await problemOf({ listFiles: failing(405), listResources: failing(410) }), undefined);
    assert.equal(await problemOf({}), undefined);
  });

  it('does without names whose lists fail', async () => {
    const lists = { listResources: async () => page([{ type: 'file', id: 'r1' }]), listFiles: async () => page([]) };
    const client = clientOf(lists, { list: failing(500) }, { list: failing(503) });
    const { resources, names, problem } = await readBelongings(client, 's', signal);
    assert.deepEqual([resources.length, names.size, problem], [1, 0, undefined]);
  });

  it("fails if the session can't be read", async () => {
    const client = clientOf({ retrieve: absent, listResources: absent, listFiles: absent }, { list: absent });
    await assert.rejects(readBelongings(client, 's', signal), /404/);
  });
});
