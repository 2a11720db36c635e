import assert from 'node:assert/strict';
import type { SessionParams } from '../../../../../src/client/schemas/sessionParams';
import type { Session } from '../../../../../src/client/schemas/sessions';
import { startPair } from '../../../../../src/features/sessions/starting/startPair';
import { failure } from '../panel/sessionUnderTest';

const params = { agentId: 'agent_1', environmentId: 'env_1', titleOf: (version: number) => `v${version}` };

/** Starts a pair on a service that responds to each creation with `answer`. */
async function started(answer: (version: number) => Session) {
  const asked: SessionParams[] = [];
  const create = async (given: SessionParams) => {
    asked.push(given);
    const { version } = given.agent as { readonly version: number };
    return { data: answer(version), requestId: undefined };
  };
  return { asked, pair: await startPair({ create }, params, [3, 5], new AbortController().signal) };
}

const session = (version: number): Session =>
  ({ id: `sesn_${version}`, type: 'session', agent: { type: 'agent', id: 'agent_1', version } }) as Session;

describe('features/sessions/starting/startPair', () => {
  it('starts one session of each version, alike in all else', async () => {
    const { asked, pair } = await started(session);
    assert.deepEqual(
      pair.sessions.map(({ id }) => id),
      ['sesn_3', 'sesn_5'],
    );
    assert.equal(pair.problem, undefined);
    assert.deepEqual(asked, [
      { agent: { type: 'agent', id: 'agent_1', version: 3 }, environment_id: 'env_1', title: 'v3' },
      { agent: { type: 'agent', id: 'agent_1', version: 5 }, environment_id: 'env_1', title: 'v5' },
    ]);
  });

  it('starts no second one, and none twice, when the first fails or is of another version', async () => {
    const error = failure('api', 'unknown', 500, 'busy');
    const failed = await started(() => {
      throw error;
    });
    assert.deepEqual([failed.asked.length, failed.pair], [1, { sessions: [], problem: { version: 3, error } }]);
    const other = await started(() => session(5));
    assert.equal(other.asked.length, 1);
    assert.deepEqual(other.pair.problem, { version: 3, got: 5 });
  });
});
