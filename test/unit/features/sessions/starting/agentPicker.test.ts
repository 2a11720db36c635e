import assert from 'node:assert/strict';
import type { Agent } from '../../../../../src/client/resources/agents';
import { ServiceError } from '../../../../../src/client/transport/errors';
import { PagedList } from '../../../../../src/common/lists/pagedList';
import { noteOf } from '../../../../../src/features/sessions/starting/agentPicker';

describe('features/sessions/starting/agentPicker', () => {
  /** Returns the picker's note for a list of agents whose first page `read` returns. */
  const noteFor = async (read: () => Promise<{ items: Agent[]; nextCursor: string | undefined }>) => {
    const list = new PagedList<Agent>();
    list.reset('agents');
    await list.readOn(async () => ({ ...(await read()), requestId: undefined })).catch(() => undefined);
    const agents = list.items.filter(({ archived_at }) => !archived_at);
    return noteOf(list, agents).map(({ label }) => label);
  };
  const agent = { id: 'a', type: 'agent' } as Agent;
  const archived = { ...agent, id: 'b', archived_at: '2026-11-01T10:00:00Z' } as Agent;
  const notServed = () =>
    new ServiceError('no', { kind: 'not_found', outcome: 'refused', method: 'GET', host: 'h', path: '/', status: 404 });

  it('distinguishes a service without agents from an empty list and from one whose agents are archived', async () => {
    assert.deepEqual(await noteFor(async () => ({ items: [], nextCursor: undefined })), ['$(info) No agents found']);
    assert.deepEqual(await noteFor(async () => ({ items: [archived], nextCursor: undefined })), ['$(info) No agents found']);
    assert.deepEqual(await noteFor(async () => ({ items: [archived], nextCursor: 'next' })), []);
    assert.deepEqual(await noteFor(async () => ({ items: [agent], nextCursor: undefined })), []);
    const unsupported = await noteFor(() => Promise.reject(notServed()));
    assert.deepEqual(unsupported, ["$(info) This service doesn't support agents"]);
  });
});
