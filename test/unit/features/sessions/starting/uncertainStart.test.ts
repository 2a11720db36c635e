import assert from 'node:assert/strict';
import type { Session, SessionFilters } from '../../../../../src/client/resources/sessions';
import { ServiceError } from '../../../../../src/client/transport/errors';
import { appearedSince, sessionsBefore, UncertainStart } from '../../../../../src/features/sessions/starting/createSessions';
import { MemoryMemento } from '../memoryMemento';

const signal = new AbortController().signal;
const session = (id: string, more: object = {}): Session => ({
  ...{ id, type: 'session', status: 'idle', agent: { id: 'agent_1', type: 'agent', name: 'Packer' } },
  ...more,
});
const lost = new ServiceError('The connection was lost.', {
  ...{ kind: 'timeout', outcome: 'unknown', method: 'POST', host: 'h', path: '/v1/sessions' },
});

/** Creates a service that lists these sessions in pages of two. */
function serviceOf(sessions: readonly Session[], refusesAgent = false) {
  const list = async ({ agentId, cursor }: SessionFilters & { readonly cursor?: string }) => {
    if (refusesAgent && agentId !== undefined) {
      throw new ServiceError('no', { kind: 'invalid_request', outcome: 'refused', method: 'GET', host: 'h', path: '/', status: 400 });
    }
    const start = Number(cursor ?? 0);
    const items = sessions.slice(start, start + 2);
    return { items, nextCursor: start + 2 < sessions.length ? String(start + 2) : undefined, requestId: undefined };
  };
  return { list } as never;
}

describe('features/sessions/starting/uncertainStart', () => {
  const ids = (sessions: readonly Session[]) => sessions.map(({ id }) => id);

  it("finds the agent's new sessions, the one with the same title first", async () => {
    const old = [session('a'), session('b'), session('c')];
    const before = await sessionsBefore(serviceOf(old), 'agent_1', signal);
    const other = { agent: { id: 'agent_2', type: 'agent', name: 'Other' } };
    const now = [session('x'), session('y', { title: 'Deploy' }), session('z', other), ...old];
    assert.deepEqual(ids(await appearedSince(serviceOf(now), { agentId: 'agent_1', title: 'Deploy', before }, signal)), ['y', 'x']);
    assert.deepEqual(ids(await appearedSince(serviceOf(old), { agentId: 'agent_1', title: 'Deploy', before }, signal)), []);
  });

  it("finds them on a service that doesn't filter by agent", async () => {
    const before = await sessionsBefore(serviceOf([session('a')], true), 'agent_1', signal);
    assert.deepEqual(
      ids(await appearedSince(serviceOf([session('x'), session('a')], true), { agentId: 'agent_1', title: '', before }, signal)),
      ['x'],
    );
  });

  it('offers no sessions if the earlier sessions are unknown', async () => {
    const broken = { list: () => Promise.reject(new ServiceError('no', { ...lost, kind: 'timeout' })) } as never;
    const before = await sessionsBefore(broken, 'agent_1', signal);
    assert.equal(before, undefined);
    assert.deepEqual(await appearedSince(serviceOf([session('x')]), { agentId: 'agent_1', title: '', before }, signal), []);
  });

  it('remembers an uncertain start per connection until it is resolved', () => {
    const memento = new MemoryMemento();
    const start = () => new UncertainStart(memento, 'Lab');
    assert.equal(start().read(), undefined);
    start().write({ agentId: 'agent_1', ids: new Set(['a']) });
    assert.deepEqual(start().read(), { agentId: 'agent_1', ids: new Set(['a']) });
    assert.equal(new UncertainStart(memento, 'Other').read(), undefined);
    start().write({ agentId: 'agent_1', ids: undefined });
    assert.deepEqual(start().read(), { agentId: 'agent_1', ids: undefined });
    start().write(undefined);
    assert.equal(start().read(), undefined);
  });
});
