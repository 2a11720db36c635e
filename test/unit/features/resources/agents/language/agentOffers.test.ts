import assert from 'node:assert/strict';
import type { ListStart } from '../../../../../../src/client/transport/pagination';
import { offersFor } from '../../../../../../src/features/resources/agents/language/agentOffers';
import {
  type CompletionTarget,
  completionTargetAt,
  readReferences,
} from '../../../../../../src/features/resources/agents/language/agentReferences';
import { type KnownNames, noNames } from '../../../../../../src/features/resources/agents/language/serviceNames';
import { context } from '../../presenting';

const whole = <T>(...items: T[]): ListStart<T> => ({ items, isWhole: true });
const hourAgo = '2026-06-01T11:00:00Z';

const known: KnownNames = {
  models: whole({ id: 'vendor-opus-5', display_name: 'Opus 5', created_at: hourAgo }, { id: 'plain', display_name: 'plain' }),
  skills: whole(
    { id: 'skill_1', type: 'skill', display_title: 'Reports', source: 'custom', latest_version: '18', created_at: hourAgo },
    { id: 'skill_2', type: 'skill', display_name: 'Newer', source: { type: 'custom' } },
    { id: 'pdf', type: 'skill', display_title: 'PDF', source: 'vendor' },
  ),
  agents: whole(
    { id: 'agent_1', type: 'agent', name: 'Lead\u202e', created_at: hourAgo, archived_at: null },
    { id: 'agent_old', type: 'agent', name: 'Old', archived_at: hourAgo },
  ),
  versions: () =>
    whole(
      { id: 'v18', type: 'skill_version', version: '18', name: 'reports', created_at: hourAgo },
      { id: 'skillver_17', type: 'skill_version', name: 'reports' },
    ),
};

function offered(marked: string, names = known): readonly string[] {
  const text = marked.replace('|', '');
  const place: CompletionTarget = completionTargetAt(text, marked.indexOf('|')) ?? assert.fail('no place');
  return offersFor(place, names, readReferences(text).servers, context).map(({ text: id, name, detail }) => `${id}/${name}/${detail}`);
}

describe('features/resources/agents/language/agentOffers', () => {
  it("offers the connection's models, and the contract's until they are known", () => {
    assert.deepEqual(offered('{"model": "|"}'), ['vendor-opus-5//Opus 5 · 1 hr. ago', 'plain//']);
    assert.ok(offered('{"model": "|"}', noNames).includes('vendor-sonnet-5//'));
  });

  it('offers skills of the typed source, in either wire shape', () => {
    assert.deepEqual(offered('{"skills": [{"type": "custom", "skill_id": "|"}]}'), [
      'skill_1/Reports/skill_1 · 1 hr. ago',
      'skill_2/Newer/skill_2',
    ]);
    assert.deepEqual(offered('{"skills": [{"type": "vendor", "skill_id": "|"}]}'), ['pdf/PDF/pdf']);
    assert.equal(offered('{"skills": [{"skill_id": "|"}]}').length, 3);
  });

  it('offers the versions of the skill beside it in their pinned form, and the latest', () => {
    assert.deepEqual(offered('{"skills": [{"type": "custom", "skill_id": "skill_1", "version": "|"}]}'), [
      'latest//latest version at run time',
      '18//latest · reports · 1 hr. ago',
      'skillver_17//reports',
    ]);
    assert.deepEqual(offered('{"skills": [{"version": "|"}]}', noNames), []);
  });

  it("offers agents that aren't archived, with hidden characters visible", () => {
    assert.deepEqual(offered('{"multiagent": {"agents": ["|"]}}'), ['agent_1/Lead\\u{202e}/agent_1 · 1 hr. ago']);
  });

  it('offers the MCP servers of the document, each once', () => {
    const text =
      '{"tools": [{"mcp_server_name": "|"}], "mcp_servers": [{"name": "a", "url": "u"}, {"name": "a", "url": "u"}, {"name": ""}]}';
    assert.deepEqual(offered(text, noNames), ['a//u']);
  });

  it('offers nothing of an unknown group', () => {
    assert.deepEqual(offered('{"skills": [{"skill_id": "|"}]}', noNames), []);
    assert.deepEqual(offered('{"multiagent": {"agents": ["|"]}}', noNames), []);
  });
});
