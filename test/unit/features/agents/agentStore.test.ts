import assert from 'node:assert/strict';
import type { Agent } from '../../../../src/client/schemas/agents';
import { ServiceError, type ServiceErrorKind } from '../../../../src/client/transport/errors';
import { AgentStore } from '../../../../src/features/agents/agentStore';

const agent = (id: string, version: number): Agent => ({ id, type: 'agent', version, name: id });
const page = (items: Agent[], nextCursor?: string) => ({ items, nextCursor, requestId: undefined });

describe('features/agents/agentStore', () => {
  it('reads the versions of an agent page by page', async () => {
    const store = new AgentStore();
    store.reset('A');
    const asked: (string | undefined)[] = [];
    const list = async ({ cursor }: { cursor?: string }) => {
      asked.push(cursor);
      return cursor === undefined ? page([agent('a', 3), agent('a', 2)], 'page=2') : page([agent('a', 2), agent('a', 1)]);
    };
    await store.readVersions('a', list);
    await store.readVersions('a', list);
    assert.deepEqual(asked, [undefined, 'page=2']);
    assert.deepEqual(
      store.versionsOf('a')?.items.map(({ version }) => version),
      [3, 2, 1],
    );
    assert.equal(store.versionsOf('a')?.nextCursor, undefined);
  });

  it('keeps what was read when a page fails, and says why', async () => {
    const store = new AgentStore();
    store.reset('A');
    await store.readVersions('a', async () => page([agent('a', 2)], 'page=2'));
    const problem = new Error('gone');
    await store.readVersions('a', () => Promise.reject(problem));
    assert.deepEqual([store.versionsOf('a')?.items.length, store.versionsOf('a')?.problem], [1, problem]);
  });

  it('tells a service without versions from one whose versions could not be read', async () => {
    const store = new AgentStore();
    store.reset('A');
    const failure = (status: number, kind: ServiceErrorKind) =>
      new ServiceError('no', { kind, outcome: 'refused', method: 'GET', host: 'h', path: '/', status });
    const read = async (error: Error) => {
      await store.readVersions('a', () => Promise.reject(error));
      const { problem, isUnsupported } = store.versionsOf('a') ?? {};
      return [problem, isUnsupported];
    };
    assert.deepEqual(await read(failure(404, 'not_found')), [undefined, true]);
    assert.deepEqual(await read(failure(405, 'other_status')), [undefined, true]);
    const broken = failure(500, 'api');
    assert.deepEqual(await read(broken), [broken, false]);
  });

  it('knows of a service without versions what holds for all its agents', async () => {
    const store = new AgentStore();
    store.reset('A');
    const lacking = () => ['a', 'b'].map(id => store.lacksVersions(id));
    assert.deepEqual(lacking(), [false, false]);
    const unknown = { kind: 'not_found', outcome: 'refused', method: 'GET', host: 'h', path: '/', status: 404 } as const;
    await store.readVersions('a', () => Promise.reject(new ServiceError('no', unknown)));
    assert.deepEqual(lacking(), [true, true]);
    // Only that agent failed, which may be gone.
    await store.readVersions('b', async () => page([agent('b', 1)]));
    assert.deepEqual(lacking(), [true, false]);
    store.reset('B');
    store.acceptNoVersions('b');
    assert.deepEqual(lacking(), [true, true]);
  });

  it('keeps the versions of a service that lists only the older ones', async () => {
    const store = new AgentStore();
    store.reset('A');
    store.list.acceptFirstPage('A', page([agent('a', 3)]));
    await store.readVersions('a', async () => page([agent('a', 2), agent('a', 1)]));
    store.list.acceptFirstPage('A', page([agent('a', 3)]));
    assert.deepEqual([store.versionsOf('a')?.items.length, store.versionsOf('a')?.latest], [2, 3]);
    store.list.acceptFirstPage('A', page([agent('a', 4)]));
    assert.equal(store.versionsOf('a'), undefined);
  });

  it('reads versions anew once there is a newer one', async () => {
    const store = new AgentStore();
    store.reset('A');
    store.list.acceptFirstPage('A', page([agent('a', 1), agent('b', 1)]));
    await store.readVersions('a', async () => page([agent('a', 1)]));
    await store.readVersions('b', async () => page([agent('b', 1)]));
    store.list.acceptFirstPage('A', page([agent('a', 2), agent('b', 1)]));
    assert.equal(store.versionsOf('a'), undefined);
    assert.equal(store.versionsOf('b')?.items.length, 1);
    store.list.put('A', agent('b', 2));
    assert.equal(store.versionsOf('b'), undefined);
    assert.equal(store.list.find('b')?.version, 2);
  });

  it('does not take an answer for another connection', async () => {
    const store = new AgentStore();
    store.reset('A');
    await store.readVersions('a', async () => {
      store.reset('B');
      return page([agent('a', 1)]);
    });
    assert.equal(store.versionsOf('a'), undefined);
    store.list.put('A', agent('a', 1));
    assert.deepEqual(store.list.items, []);
  });

  it('ends at a service that gives the same page for ever, and says so', async () => {
    const store = new AgentStore();
    store.reset('A');
    await store.readVersions('a', async () => page([agent('a', 1)], 'page=1'));
    await store.readVersions('a', async () => page([agent('a', 1)], 'page=1'));
    const { nextCursor, problem } = store.versionsOf('a') ?? {};
    assert.deepEqual([nextCursor, (problem as Error).name], [undefined, 'ListCutError']);
  });
});
