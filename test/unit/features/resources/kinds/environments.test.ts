import assert from 'node:assert/strict';
import { environments } from '../../../../../src/features/resources/kinds/environments';
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
