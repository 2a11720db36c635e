import assert from 'node:assert/strict';
import { json, Loopback } from '../loopback';
import { checkCalls } from './calls';

describe('client/resources/deployments', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  it('builds the calls of deployments', async () => {
    await checkCalls(loopback, [
      {
        call: ({ deployments }) => deployments.create({ name: 'n', agent: 'agent_1' }),
        request: 'POST /v1/deployments',
        body: { name: 'n', agent: 'agent_1' },
      },
      {
        call: ({ deployments }) => deployments.list({ limit: 3, agentId: 'agent_1', status: 'paused' }),
        request: 'GET /v1/deployments?agent_id=agent_1&status=paused&limit=3',
        answer: { data: [{ id: 'd', status: 'resting', paused_reason: { type: 'moon' } }], next_page: 'more' },
        result: {
          items: [{ id: 'd', type: 'deployment', status: 'resting', paused_reason: { type: 'moon' } }],
          nextCursor: 'page=more',
          requestId: 'req_test',
        },
      },
      { call: ({ deployments }) => deployments.retrieve('d/1'), request: 'GET /v1/deployments/d%2F1' },
      {
        call: ({ deployments }) => deployments.update('d', { schedule: null }),
        request: 'POST /v1/deployments/d',
        body: { schedule: null },
      },
      { call: ({ deployments }) => deployments.archive('d'), request: 'POST /v1/deployments/d/archive' },
      { call: ({ deployments }) => deployments.pause('d'), request: 'POST /v1/deployments/d/pause' },
      { call: ({ deployments }) => deployments.unpause('d'), request: 'POST /v1/deployments/d/unpause' },
    ]);
  });

  it('builds the calls of runs, and starts one without retries', async () => {
    const run = { id: 'r', deployment_id: 'd', trigger_context: { type: 'manual' }, session_id: null, error: { type: 'unknown_error' } };
    await checkCalls(loopback, [
      {
        call: ({ deployments }) => deployments.run('d'),
        request: 'POST /v1/deployments/d/run',
        answer: run,
        result: { data: { type: 'deployment_run', ...run }, requestId: 'req_test' },
      },
      {
        call: ({ deployments }) =>
          deployments.runs.list({
            limit: 2,
            deploymentId: 'd',
            triggerType: 'schedule',
            createdSince: '2026-01-01T00:00:00Z',
            createdUntil: '2026-01-02T00:00:00Z',
          }),
        request:
          'GET /v1/deployment_runs?deployment_id=d&trigger_type=schedule&created_at[gte]=2026-01-01T00:00:00Z&created_at[lte]=2026-01-02T00:00:00Z&limit=2',
        answer: { data: [run], next_page: null },
      },
      { call: ({ deployments }) => deployments.runs.retrieve('r'), request: 'GET /v1/deployment_runs/r', answer: run },
    ]);
  });

  it('decodes the rest of a record with fields of other types', async () => {
    const origin = await loopback.http((_, response) =>
      json(response, { id: 'd', schedule: { expression: 5, upcoming_runs_at: 'soon' }, vault_ids: 'v' }),
    );
    const { data } = await loopback.client(origin).deployments.retrieve('d');
    assert.deepEqual(data, { id: 'd', type: 'deployment', schedule: {} });
  });
});
