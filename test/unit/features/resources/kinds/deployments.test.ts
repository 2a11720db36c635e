import assert from 'node:assert/strict';
import type { Deployment } from '../../../../../src/client/resources/deployments';
import { toDefinition } from '../../../../../src/features/resources/definitions/definitionText';
import { toPatch } from '../../../../../src/features/resources/definitions/mergeDefinitions';
import { deploymentRuns, deployments } from '../../../../../src/features/resources/kinds/deployments';
import { context } from '../presenting';

const { definition } = deployments;
assert.ok(definition !== undefined);

const deployment = (more: Partial<Deployment> = {}): Deployment => ({
  id: 'depl_1',
  type: 'deployment',
  name: 'Nightly',
  status: 'active',
  paused_reason: null,
  archived_at: null,
  agent: { type: 'agent', id: 'agent_1', version: 2 },
  environment_id: 'env_1',
  schedule: {
    type: 'cron',
    expression: '0 20 * * 5',
    timezone: 'America/New_York',
    last_run_at: null,
    upcoming_runs_at: ['2026-06-01T11:00:00Z', '2026-06-01T15:00:00Z'],
  },
  ...more,
});
const described = (more: Partial<Deployment> = {}) => deployments.row(deployment(more), context).description.replaceAll('\u202f', ' ');
const abilities = (more: Partial<Deployment> = {}) => deployments.row(deployment(more), context).abilities;

describe('features/resources/kinds/deployments', () => {
  it('shows its state, its next run, and its time zone', () => {
    const clock = 'At 8:00 PM, on Friday · America/New_York';
    assert.equal(described(), `active · next in 3 hr. · ${clock}`);
    assert.equal(described({ schedule: null }), 'active · manually');
    assert.equal(described({ status: 'paused', paused_reason: { type: 'manual' } }), `paused · ${clock}`);
    const error = { type: 'error', error: { type: 'environment_archived_error' } };
    assert.equal(described({ status: 'paused', paused_reason: error }), `paused: Environment archived · ${clock}`);
    assert.equal(described({ archived_at: '2026-06-01T00:00:00Z' }), `archived · ${clock}`);
  });

  it('mentions an error before resuming only if it was paused by one', () => {
    const words = (more: Partial<Deployment>) => deployments.acts?.unpause?.detail(context.translate, deployment(more));
    assert.doesNotMatch(words({ status: 'paused', paused_reason: { type: 'manual' } }) ?? '', /error/);
    assert.match(words({ status: 'paused', paused_reason: { type: 'error' } }) ?? '', /It was paused by an error\. Fix the error first/);
  });

  it('keeps unknown fields', () => {
    assert.match(described({ status: 'resting' }), /^resting · /);
    assert.match(described({ status: 'paused', paused_reason: { type: 'moon' } }), /^paused: moon · /);
    assert.match(described({ status: 'paused', paused_reason: { type: 'error', error: { type: 'tide_error' } } }), /^paused: tide_error/);
    assert.match(described({ status: 'paused', paused_reason: { type: 'error', error: null } }), /unknown error/);
    assert.match(described({ schedule: { type: 'sun', expression: 'dawn' } }), /^active · dawn$/);
    assert.match(described({ status: 'paused', paused_reason: { type: 'error', error: { type: 'toString' } } }), /^paused: toString/);
  });

  it('offers actions that fit its state', () => {
    assert.match(abilities(), /editable archivable runnable pausable$/);
    assert.match(abilities({ status: 'paused', paused_reason: { type: 'manual' } }), /runnable unpausable$/);
    assert.equal(abilities({ archived_at: '2026-06-01T00:00:00Z' }), 'resource deployment');
  });

  it('shows the budget, the next times and the agent among its facts', () => {
    const budget = { type: 'limit', max_list_cost: { amount: '550', currency: 'USD' } };
    const facts = new Map(deployments.facts(deployment({ budget }), context));
    assert.equal(facts.get('Budget per session'), '$5.50');
    assert.equal(facts.get('Agent'), 'agent_1, version 2');
    assert.equal(facts.get('Next runs')?.split(';').length, 2);
    const odd = { type: 'limit', max_list_cost: { amount: 'many', currency: 'no money' } };
    assert.equal(new Map(deployments.facts(deployment({ budget: odd }), context)).get('Budget per session'), 'many no money');
  });

  it('has a document of the editable fields, and a patch that clears removed ones', () => {
    const told = deployment({
      description: '',
      vault_ids: ['v'],
      resources: [],
      metadata: {},
      budget: null,
      initial_events: [{ type: 'user.message' }],
    });
    const before = toDefinition(told, definition);
    assert.deepEqual(Object.keys(before), ['name', 'agent', 'environment_id', 'schedule', 'initial_events', 'vault_ids']);
    assert.deepEqual(before.schedule, { type: 'cron', expression: '0 20 * * 5', timezone: 'America/New_York' });
    const { schedule: _, vault_ids: __, ...rest } = before;
    assert.deepEqual(toPatch(before, rest), { fields: { schedule: null, vault_ids: null }, changed: ['schedule', 'vault_ids'] });
    // Changed run times don't change the document.
    const later = deployment({ ...told, schedule: { ...told.schedule, upcoming_runs_at: [], last_run_at: '2026-06-01T11:00:00Z' } });
    assert.deepEqual(toPatch(before, toDefinition(later, definition)).changed, []);
  });

  it('never writes a repository token to a document', () => {
    const { translate } = context;
    const resources = [{ type: 'git_repository', url: 'https://example.com/r', authorization_token: 'secret' }];
    assert.match(definition.problem?.({ resources }, undefined, translate) ?? '', /anyone can read it here/);
    assert.equal(definition.problem?.({ resources: [{ type: 'file', file_id: 'f' }] }, undefined, translate), undefined);
    assert.equal(definition.problem?.({ resources: 'none' }, undefined, translate), undefined);
  });

  it('asks only for the tokens of repositories that are sent', async () => {
    const ask = async (prompt: string) => (prompt.includes('example.com') ? 'token' : '');
    const sent = (given: object) => definition.withSecrets?.({ ...given }, ask, context.translate);
    const repository = { type: 'git_repository', url: 'https://example.com/r' };
    const others = [{ type: 'file', file_id: 'f' }, { type: 'github_repository' }, 'odd', null];
    assert.deepEqual(await sent({ resources: [repository, ...others] }), {
      resources: [{ ...repository, authorization_token: 'token' }, ...others],
    });
    assert.deepEqual(await sent({ name: 'n' }), { name: 'n' });
    assert.deepEqual(await sent({ resources: null }), { resources: null });
  });

  it('shows the trigger of a run, and its session or error', () => {
    const run = { id: 'drun_1', type: 'deployment_run', created_at: '2026-06-01T11:00:00Z' };
    const row = (more: object) => deploymentRuns.row({ ...run, ...more }, context);
    const byClock = row({ trigger_context: { type: 'schedule', scheduled_at: '2026-06-01T10:59:00Z' }, session_id: 'sesn_1', error: null });
    assert.deepEqual([byClock.label, byClock.description, byClock.icon], ['Scheduled', '1 hr. ago · session sesn_1', 'comment-discussion']);
    const failed = row({
      trigger_context: { type: 'manual' },
      session_id: null,
      error: { type: 'session_creation_rejected_error', message: 'No room' },
    });
    assert.deepEqual([failed.label, failed.description, failed.icon], ['Manual', '1 hr. ago · No room', 'error']);
    assert.match(failed.spoken, /failed: No room/);
    assert.deepEqual([row({ trigger_context: { type: 'tide' } }).label, row({}).label], ['tide', 'Run']);
    assert.equal(deploymentRuns.session?.({ ...run, session_id: 'sesn_1' }), 'sesn_1');
    assert.equal(deploymentRuns.session?.({ ...run, session_id: null }), undefined);
  });
});
