import assert from 'node:assert/strict';
import type { WorkItem } from '../../../../../src/client/resources/environments';
import { environments, presentQueue, work } from '../../../../../src/features/resources/kinds/environments';
import { context } from '../presenting';

const environment = (config: object | undefined, more: object = {}) => ({
  id: 'env_1',
  type: 'environment',
  name: 'Build',
  ...(config && { config: config as { type: string } }),
  ...more,
});

describe('features/resources/kinds/environments', () => {
  it('shows what sessions can reach', () => {
    const describe = (config: object | undefined) => environments.row(environment(config), context).description;
    assert.equal(describe({ type: 'cloud', networking: { type: 'unrestricted' } }), 'open network');
    assert.equal(describe({ type: 'cloud', networking: { type: 'limited', allowed_hosts: [] } }), 'no hosts allowed');
    assert.equal(describe({ type: 'cloud', networking: { type: 'limited', allowed_hosts: ['a', 'b'] } }), '2 hosts allowed');
    assert.equal(describe({ type: 'self_hosted' }), 'self-hosted');
    assert.equal(describe({ type: 'moon' }), 'moon');
    assert.equal(describe(undefined), '');
  });

  it('has a work queue only if it is self-hosted', () => {
    const below = (config: object) => (environments.children?.(environment(config)) ?? []).map(({ kind }) => kind);
    assert.deepEqual(below({ type: 'cloud' }), ['session']);
    assert.deepEqual(below({ type: 'self_hosted' }), ['session', 'work']);
  });

  it('shows hosts, packages and metadata among the facts', () => {
    const facts = environments.facts(
      environment(
        {
          type: 'cloud',
          networking: { type: 'limited', allowed_hosts: ['a.example', 'b.example'], allow_mcp_servers: true },
          packages: { type: 'packages', pip: ['numpy', 'pandas', { toString: 1 }], apt: [] },
        },
        { metadata: { team: 'infra', odd: { toString: 1 } } },
      ),
      context,
    );
    const byName = new Map(facts);
    assert.equal(byName.get('Allowed hosts'), 'a.example, b.example');
    assert.equal(byName.get('MCP servers'), 'allowed');
    assert.equal(byName.get('Packages (pip)'), 'numpy, pandas, {"toString":1}');
    assert.equal(byName.has('Packages (apt)'), false);
    assert.equal(byName.get('Metadata: team'), 'infra');
    assert.equal(byName.get('Metadata: odd'), '{"toString":1}');
  });

  it('never publishes another type', () => {
    const { definition } = environments;
    const { translate } = context;
    assert.match(
      definition?.problem?.({ config: { type: 'self_hosted' } }, { config: { type: 'cloud' } }, translate) ?? '',
      /The type "cloud" can't be changed/,
    );
    assert.equal(definition?.problem?.({ config: { type: 'cloud' } }, { config: { type: 'cloud' } }, translate), undefined);
    assert.equal(definition?.problem?.({ config: { type: 'cloud' } }, undefined, translate), undefined);
  });

  it('offers no impossible actions after it was archived', () => {
    const row = environments.row(environment({ type: 'cloud' }, { archived_at: '2026-05-01T00:00:00Z' }), context);
    assert.deepEqual([row.icon, row.abilities], ['archive', 'resource environment deletable']);
  });
});

const stats = (depth: number, polling: number | null, oldest: string | null = '2026-06-01T11:57:00Z') => ({
  type: 'work_queue_stats',
  depth,
  pending: 0,
  workers_polling: polling,
  oldest_queued_at: oldest,
});

describe('features/resources/kinds/work', () => {
  it('warns only if work is queued and no worker is active', () => {
    const stuck = presentQueue(stats(2, 0), context);
    assert.equal(stuck.icon, 'warning');
    assert.match(stuck.description, /^no workers · 2 queued · oldest 3 min\. ago/);
    assert.match(stuck.spoken, /Start a worker/);
    assert.equal(presentQueue(stats(2, 1), context).icon, undefined);
    assert.equal(presentQueue(stats(0, 0, null), context).icon, undefined);
    // A service that doesn't count its workers omits the number.
    assert.deepEqual(presentQueue(stats(1, null), context), {
      description: '1 queued · oldest 3 min. ago',
      spoken: '1 queued · oldest 3 min. ago',
    });
  });

  it('offers to stop running work, to force stopping work, and keeps unknown states', () => {
    const abilities = (state: string) => work.row({ id: 'w', type: 'work', state, data: { id: 'sesn_1' } }, context).abilities;
    assert.match(abilities('queued'), /\bstoppable\b/);
    assert.match(abilities('stopping'), /\bstoppable\b/);
    assert.doesNotMatch(abilities('stopped'), /stoppable/);
    const button = (state: string) =>
      work.acts?.stop?.question?.('w', context.translate, { id: 'w', type: 'work', state } as WorkItem)?.button;
    assert.deepEqual([button('active'), button('stopping')], [undefined, 'Force Stop']);
    assert.equal(work.row({ id: 'w', type: 'work', state: 'dreaming' }, context).label, 'dreaming');
    assert.equal(work.session?.({ id: 'w', type: 'work', data: { type: 'session', id: 's' } }), 's');
    assert.equal(work.session?.({ id: 'w', type: 'work', data: { type: 'dream', id: 's' } }), undefined);
  });
});
