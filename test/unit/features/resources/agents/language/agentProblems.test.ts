import assert from 'node:assert/strict';
import type { ListStart } from '../../../../../../src/client/transport/pagination';
import { findProblems, groupsOf } from '../../../../../../src/features/resources/agents/language/agentProblems';
import { readReferences } from '../../../../../../src/features/resources/agents/language/agentReferences';
import { type KnownNames, noNames } from '../../../../../../src/features/resources/agents/language/serviceNames';
import { context } from '../../presenting';

const whole = <T>(...items: T[]): ListStart<T> => ({ items, isWhole: true });
const { translate } = context;

const known: KnownNames = {
  models: whole({ id: 'vendor-opus-5' }, { id: 'vendor-haiku-4-5-20251001' }),
  skills: whole({ id: 'skill_1', type: 'skill', latest_version: '18' }),
  agents: whole(
    { id: 'agent_1', type: 'agent', version: 2, archived_at: null },
    { id: 'agent_old', type: 'agent', version: 1, archived_at: '2026-01-01T00:00:00Z' },
  ),
  versions: id => (id === 'skill_1' ? whole({ id: 'x17', type: 'skill_version', version: '17' }) : undefined),
};

/** Returns the problems of a document, each with the marked text. */
function problemsOf(value: object, names = known): readonly string[] {
  const text = JSON.stringify(value);
  return findProblems(readReferences(text), names, 'Lab', translate).map(
    ({ start, end, message }) => `${text.slice(start, end)} ${message}`,
  );
}

const skill = (rest: object) => ({ skills: [{ type: 'custom', skill_id: 'skill_1', ...rest }] });
const roster = (...agents: unknown[]) => ({ multiagent: { type: 'coordinator', agents } });

describe('features/resources/agents/language/agentProblems', () => {
  it('finds no problems if everything exists', () => {
    const value = {
      model: 'vendor-opus-5',
      tools: [{ type: 'mcp_toolset', mcp_server_name: 'search' }],
      mcp_servers: [{ name: 'search' }],
      ...roster('agent_1', { type: 'agent', id: 'agent_1', version: 2 }, { type: 'self' }),
    };
    for (const version of ['17', 'x17', '18', 'latest', '', null, undefined]) {
      assert.deepEqual(problemsOf({ ...value, ...skill({ version }) }), []);
    }
  });

  it('names the connection that lacks a model, a skill, a version or an agent', () => {
    assert.deepEqual(problemsOf({ model: { id: 'vendor-opus-6' } }), ['"vendor-opus-6" vendor-opus-6 isn\'t on the connection Lab.']);
    assert.deepEqual(problemsOf(skill({ skill_id: 'skill_2' })), ['"skill_2" skill_2 isn\'t on the connection Lab.']);
    assert.deepEqual(problemsOf(skill({ version: '16' })), ['"16" skill_1 has no version 16 on the connection Lab.']);
    assert.deepEqual(problemsOf(roster('agent_9', { type: 'agent', id: 'agent_1', version: 3 })), [
      '"agent_9" agent_9 isn\'t on the connection Lab.',
      '3 agent_1 has no version 3 on the connection Lab.',
    ]);
  });

  it('reports an archived agent', () => {
    assert.deepEqual(problemsOf(roster({ type: 'agent', id: 'agent_old' })), [
      '"agent_old" The agent agent_old is archived on the connection Lab.',
    ]);
  });

  it('accepts a model by its name without a date', () => assert.deepEqual(problemsOf({ model: 'vendor-haiku-4-5' }), []));

  it("ignores the vendor's skills, which needn't be listed", () => {
    assert.deepEqual(problemsOf({ skills: [{ type: 'vendor', skill_id: 'pdf', version: '1' }, { skill_id: 'docx' }] }), []);
  });

  it("reports nothing by a list that wasn't read completely", () => {
    const value = { model: 'none', ...skill({ skill_id: 'none', version: 'none' }), ...roster('none') };
    assert.equal(problemsOf(value).length, 3);
    assert.deepEqual(problemsOf(value, noNames), []);
    const cut: ListStart<never> = { items: [], isWhole: false };
    assert.deepEqual(problemsOf(value, { models: cut, skills: cut, agents: cut, versions: () => cut }), []);
  });

  it('matches MCP servers and toolsets without a service', () => {
    const value = {
      tools: [{ mcp_server_name: 'search' }, { mcp_server_name: 'lost' }],
      mcp_servers: [{ name: 'search' }, { name: 'search', url: 'x' }, { name: 'idle' }],
    };
    assert.deepEqual(problemsOf(value, noNames), [
      '"lost" No MCP server has the name lost.',
      '"search" Another MCP server has the name search.',
      '"idle" No "mcp_toolset" uses the server idle.',
    ]);
  });

  it('escapes hidden characters in a name', () => {
    assert.match(problemsOf({ model: 'a\u202eb' })[0] ?? '', /a\\u\{202e\}b isn't/);
  });

  it('needs only the groups that a document refers to', () => {
    const groups = (value: object) => groupsOf(readReferences(JSON.stringify(value)));
    assert.deepEqual(groups({ name: 'x', tools: [{ mcp_server_name: 'a' }] }), []);
    assert.deepEqual(groups({ model: 'm', ...roster('a', 'b') }), ['models', 'agents']);
    assert.deepEqual(groups(skill({ version: '17' })), ['skills', { versionsOf: 'skill_1' }]);
    assert.deepEqual(groups(skill({ version: 'latest' })), ['skills']);
  });
});
