import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../../../../src/client/serviceClient';
import { ServiceError } from '../../../../../../src/client/transport/errors';
import type { AgentReferenceText } from '../../../../../../src/features/resources/agents/language/agentReferences';
import { describeReference, type HoverSource } from '../../../../../../src/features/resources/agents/language/describeReference';
import { noNames } from '../../../../../../src/features/resources/agents/language/serviceNames';
import { context } from '../../presenting';

const missing = () => new ServiceError('gone', { kind: 'not_found', outcome: 'refused', method: 'GET', host: 'h', path: '/', status: 404 });

describe('features/resources/agents/language/describeReference', () => {
  const agent = {
    id: 'agent_1',
    type: 'agent',
    name: 'Lead',
    version: 4,
    description: 'Leads *all*.',
    archived_at: '2026-05-01T00:00:00Z',
  };
  const skill = { id: 'skill_1', type: 'skill', display_title: 'Reports', latest_version: '18', source: 'custom' };
  const version = { id: 'skillver_1', type: 'skill_version', version: '18', name: 'reports', description: 'Writes reports.' };
  const only = (id: string, data: object) => async (asked: string) => {
    if (asked !== id) {
      throw missing();
    }
    return { data };
  };
  let asked: object | undefined;
  const client = {
    agents: {
      retrieve: async (id: string, options: object) => {
        asked = options;
        return only('agent_1', agent)(id);
      },
    },
    skills: { retrieve: only('skill_1', skill), versions: () => ({ retrieve: only('18', version) }) },
  } as unknown as ServiceClient;
  const source: HoverSource = { connection: 'Lab', client: async () => client, known: noNames, signal: new AbortController().signal };

  const hoverOf = (reference: Partial<AgentReferenceText>, of = source) =>
    describeReference({ kind: 'agent', text: '', start: 0, end: 1, ...reference }, of, context);

  it("shows an agent's name, version and description, and that it is archived", async () => {
    const text = (await hoverOf({ text: 'agent_1' })) ?? '';
    assert.match(text, /^\*\*Lead\*\*/);
    for (const fact of [/ID: agent\\_1/, /Version: 4/, /Archived: May 1, 2026/, /Description: Leads \\\*all\\\*\\\./, /Connection: Lab/]) {
      assert.match(text, fact);
    }
  });

  it('reads the pinned version', async () => {
    await hoverOf({ text: 'agent_1', version: { value: 2, start: 0, end: 1 } });
    assert.deepEqual(asked, { version: 2, signal: source.signal });
  });

  it("shows a skill's newest version, and a version itself", async () => {
    assert.match(
      (await hoverOf({ kind: 'skill', text: 'skill_1' })) ?? '',
      /^\*\*Reports\*\*[\s\S]*Latest version: 18[\s\S]*Description: Writes reports/,
    );
    for (const text of ['18', 'latest']) {
      const hover = (await hoverOf({ kind: 'skillVersion', text, skillId: 'skill_1' })) ?? '';
      assert.match(hover, /Description: Writes reports[\s\S]*Latest version: yes/);
    }
  });

  it("shows the connection's facts about a model, and nothing of others", async () => {
    const models = { items: [{ id: 'vendor-opus-5', display_name: 'Opus 5', max_input_tokens: 200_000 }], isWhole: true };
    const of = { ...source, known: { ...noNames, models } };
    assert.match(
      (await hoverOf({ kind: 'model', text: 'vendor-opus-5' }, of)) ?? '',
      /^\*\*Opus 5\*\*[\s\S]*Maximum input tokens: 200,000/,
    );
    assert.equal(await hoverOf({ kind: 'model', text: 'other' }, of), undefined);
  });

  it('reports a missing item, and why nothing is known', async () => {
    assert.equal(await hoverOf({ text: 'agent_2' }), "agent\\_2 isn't on the connection Lab\\.");
    const refused = async () => {
      throw new Error('Not trusted.');
    };
    assert.equal(await hoverOf({ text: 'agent_1' }, { ...source, client: refused }), 'Not trusted\\.');
  });

  it('shows nothing for an empty name, a version without skill, or a server', async () => {
    assert.equal(await hoverOf({ text: '' }), undefined);
    assert.equal(await hoverOf({ kind: 'skillVersion', text: '1' }), undefined);
    assert.equal(await hoverOf({ kind: 'server', text: 'search' }), undefined);
  });
});
