import assert from 'node:assert/strict';
import type { Agent } from '../../../../src/client/schemas/agents';
import type { AgentDraft } from '../../../../src/features/agents/agentDrafts';
import { agentKind } from '../../../../src/features/agents/agentKind';
import { presentAgent, presentNewAgent, presentVersion } from '../../../../src/features/agents/agentPresentation';
import { toHover } from '../../../../src/features/resources/resourcePresentation';

const translate = (text: string, ...args: (string | number)[]) => text.replace(/\{(\d+)\}/g, (_, index) => String(args[Number(index)]));
const context = { translate, locale: 'en', now: Date.parse('2026-11-21T12:00:00Z') };
const agent: Agent = {
  id: 'agent_1',
  type: 'agent',
  version: 3,
  name: 'Researcher',
  model: { id: 'vendor-opus-5' },
  updated_at: '2026-11-21T11:00:00Z',
};
const draft: AgentDraft = { id: 'x', connection: 'A', agentId: 'agent_1', name: 'Researcher', text: '{}', savedAt: 1 };

describe('features/agents/agentPresentation', () => {
  it('shows version, model and age, and what can be done', () => {
    const row = presentAgent(agent, undefined, context);
    assert.equal(row.label, 'Researcher');
    assert.equal(row.description, 'v3 · vendor-opus-5 · 1 hr. ago');
    assert.deepEqual(row.abilities.split(' '), ['agent', 'comparable', 'startable', 'archivable']);
  });

  it('tells a draft and an archived agent in words too', () => {
    assert.match(presentAgent(agent, draft, context).spoken, /draft/);
    assert.match(presentAgent(agent, draft, context).abilities, /\bhasDraft\b/);
    const archived = presentAgent({ ...agent, archived_at: '2026-11-21T11:00:00Z' }, undefined, context);
    assert.match(archived.description, /^archived/);
    assert.doesNotMatch(archived.abilities, /startable|archivable/);
  });

  it('shows a hostile name as a label and an id where there is no name', () => {
    assert.equal(presentAgent({ ...agent, name: 'a\u202Eb\nc' }, undefined, context).label, 'a\\u{202e}b\\u{a}c');
    assert.equal(presentAgent({ id: 'agent_2', type: 'agent', name: '' }, undefined, context).label, 'agent_2');
  });

  it('offers to restore older versions only', () => {
    assert.doesNotMatch(presentVersion(agent, true, false, context).abilities, /restorable/);
    assert.match(presentVersion(agent, false, false, context).abilities, /restorable/);
    assert.doesNotMatch(presentVersion(agent, false, true, context).abilities, /restorable|startable/);
    assert.match(presentVersion(agent, true, false, context).description, /^latest/);
  });

  it('offers no comparison where the service lists no versions', () => {
    assert.doesNotMatch(presentAgent(agent, undefined, context, false).abilities, /comparable/);
    assert.match(presentAgent(agent, undefined, context, false).abilities, /startable/);
  });

  it('says that a new agent is not published', () => {
    assert.equal(presentNewAgent(draft, context).description, 'Draft, not published');
    assert.equal(presentNewAgent(draft, context).abilities, 'newAgent hasDraft');
  });

  it('hovers without markup of the service', () => {
    const hover = toHover(agentKind, { ...agent, description: '<img src=x> [a](command:x)' }, 'A', context);
    assert.match(hover, /\\<img src=x\\> \\\[a\\\]\\\(command:x\\\)/);
    assert.match(hover, /Version: 3/);
  });
});
