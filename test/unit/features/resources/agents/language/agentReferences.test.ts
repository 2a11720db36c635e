import assert from 'node:assert/strict';
import fc from 'fast-check';
import { completionTargetAt, readReferences } from '../../../../../../src/features/resources/agents/language/agentReferences';
import { runs } from '../../../../../helpers/runs';

const whole = JSON.stringify(
  {
    name: 'Lead',
    model: { id: 'vendor-opus-5', speed: 'fast' },
    tools: [{ type: 'mcp_toolset', mcp_server_name: 'search' }, { type: 'agent_toolset_20260401' }],
    mcp_servers: [{ type: 'url', name: 'search', url: 'https://mcp.example' }],
    skills: [
      { type: 'custom', skill_id: 'skill_1', version: '17' },
      { type: 'vendor', skill_id: 'pdf' },
    ],
    multiagent: {
      type: 'coordinator',
      agents: ['agent_1', { type: 'agent', id: 'agent_2', version: 3 }, { type: 'self' }, { type: 'advisor', model: 'vendor-fable-5' }],
    },
  },
  undefined,
  2,
);

/** Returns the reference at `|`, and the text that a completion would replace. */
function at(marked: string) {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const found = completionTargetAt(text, offset);
  return found && { ...found, replaced: text.slice(found.start, found.end) };
}

describe('features/resources/agents/language/agentReferences', () => {
  it("reads a document's references with their positions", () => {
    const { references, servers } = readReferences(whole);
    assert.deepEqual(
      references.map(({ kind, text, source, skillId, version }) => [kind, text, source ?? skillId ?? version?.value]),
      [
        ['model', 'vendor-opus-5', undefined],
        ['server', 'search', undefined],
        ['skill', 'skill_1', 'custom'],
        ['skillVersion', '17', 'custom'],
        ['skill', 'pdf', 'vendor'],
        ['agent', 'agent_1', undefined],
        ['agent', 'agent_2', 3],
        ['model', 'vendor-fable-5', undefined],
      ],
    );
    for (const { text, start, end } of references) {
      assert.equal(whole.slice(start, end), JSON.stringify(text));
    }
    assert.deepEqual(
      servers.map(({ name, url, start, end }) => [name, url, whole.slice(start, end)]),
      [['search', 'https://mcp.example', '"search"']],
    );
    assert.equal(references.find(({ kind }) => kind === 'skillVersion')?.skillId, 'skill_1');
  });

  it('reads a plain model name, and nothing incomplete or of another type', () => {
    assert.deepEqual(
      readReferences('{"model": "m", "skills": [{"skill_id": "sk').references.map(({ text }) => text),
      ['m'],
    );
    assert.deepEqual(readReferences('{"model": 5, "skills": {"skill_id": 1}, "tools": null, "multiagent": []}').references, []);
    assert.deepEqual(readReferences('').references, []);
  });

  for (const [marked, kind, replaced] of [
    ['{"model": "|"}', 'model', '""'],
    ['{"model": |}', 'model', ''],
    ['{"model": {"id": "vendor|-x"}}', 'model', '"vendor-x"'],
    ['{"skills": [{"type": "custom", "skill_id": "|"}]}', 'skill', '""'],
    ['{"tools": [{"mcp_server_name": "|"}]}', 'server', '""'],
    ['{"multiagent": {"agents": [|]}}', 'agent', ''],
    ['{"multiagent": {"agents": ["a", "|"]}}', 'agent', '""'],
    ['{"multiagent": {"agents": [{"type": "agent", "id": "|"}]}}', 'agent', '""'],
    ['{"multiagent": {"workflows": {"predefined_agents": [{"type": "agent", "id": "|"}]}}}', 'agent', '""'],
    ['{"multiagent": {"subagents": {"predefined_agents": ["|"]}}}', 'agent', '""'],
    ['{"multiagent": {"agents": [{"type": "advisor", "model": "|"}]}}', 'model', '""'],
  ] as const) {
    it(`completes at ${marked}`, () => {
      const found = at(marked);
      assert.deepEqual([found?.kind, found?.replaced], [kind, replaced]);
    });
  }

  it('finds the skill of a typed version', () => {
    const found = at('{"skills": [{"type": "custom", "skill_id": "skill_1", "version": "|"}]}');
    assert.deepEqual([found?.kind, found?.source, found?.skillId], ['skillVersion', 'custom', 'skill_1']);
  });

  it('replaces nothing beyond the line, even with unclosed brackets', () => {
    assert.equal(at('{\n  "model": "vend|\n  ,"system": "x"\n}')?.replaced, '"vend');
  });

  for (const marked of [
    '{"na|me": "x"}',
    '{"name": "|"}',
    '{"|"}',
    '|',
    '{"tools": [{"name": "|"}]}',
    '{"multiagent": {"agents": [{"type": "self", "id": "|"}]}}',
  ]) {
    it(`offers nothing at ${marked}`, () => assert.equal(at(marked), undefined));
  }

  it('adds a missing comma', () => {
    const found = at('{"multiagent": {"agents": ["a" | "b"]}}');
    assert.deepEqual([found?.commaBefore, found?.commaAfter], [true, true]);
  });

  it('never throws, and replaces a part of the line around the cursor, for any incomplete text', () => {
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(whole.length), fc.nat(whole.length), (from, length, column) => {
        const text = whole.slice(0, from) + whole.slice(from + (length % 40));
        const offset = Math.min(column, text.length);
        readReferences(text);
        const found = completionTargetAt(text, offset);
        if (found !== undefined) {
          assert.ok(found.start <= offset && offset <= found.end && !/[\r\n]/.test(text.slice(found.start, found.end)));
        }
      }),
      { numRuns: runs(3000), examples: [[167, 6, 167]] },
    );
  });
});
