import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../../../src/client/serviceClient';
import { ServiceError } from '../../../../../src/client/transport/errors';
import { agentOfTest } from '../../../../../src/features/sessions/testing/runOn';
import { context } from '../../resources/presenting';

const agents = [
  { id: 'agent_2', name: 'Clerk', version: 2 },
  { id: 'agent_3', name: 'Twin', version: 1 },
  { id: 'agent_4', name: 'Twin', version: 1 },
];
const client = {
  agents: {
    retrieve: async (id: string) => {
      const found = agents.find(agent => agent.id === id);
      if (found === undefined) {
        throw new ServiceError('404', { kind: 'not_found', outcome: 'refused', method: 'GET', host: 'h', path: '/', status: 404 });
      }
      return { data: found };
    },
    list: async () => ({ items: agents, nextCursor: undefined }),
  },
} as unknown as ServiceClient;

describe('features/sessions/testing/agentOfTest', () => {
  const find = (agent: { id: string; name?: string; version: number | 'latest' }, connection?: string, isEmulator = false) =>
    agentOfTest(client, { agent, connection }, { name: 'Lab', isEmulator }, new AbortController().signal, context.translate);

  it('finds the agent by its ID, then by its name and version, and reports that', async () => {
    assert.deepEqual(await find({ id: 'agent_2', version: 9 }), { id: 'agent_2' });
    assert.deepEqual(await find({ id: 'gone', name: 'Clerk', version: 2 }), {
      id: 'agent_2',
      note: 'Lab has no agent gone. Using agent_2 (Clerk).',
    });
  });

  it("names the recorded connection if the agent doesn't exist", async () => {
    const problems = await Promise.all([
      find({ id: 'gone', name: 'Clerk', version: 3 }, 'Home'),
      find({ id: 'gone', name: 'Twin', version: 'latest' }, 'Lab'),
      find({ id: 'gone', version: 'latest' }, 'Home', true),
    ]);
    assert.deepEqual(
      problems.map(found => 'problem' in found && found.problem),
      [
        'Lab has no agent gone. Recorded on Home.',
        'Lab has no agent gone.',
        'The emulator has no agent gone. Run the test on another connection. Recorded on Home.',
      ],
    );
  });
});
