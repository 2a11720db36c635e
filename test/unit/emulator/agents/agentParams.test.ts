import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createAgentSchema } from '../../../../src/emulator/agents/agentParams';

interface Node {
  readonly enum?: readonly unknown[];
  readonly [name: string]: unknown;
}

const schema = JSON.parse(readFileSync('media/schemas/agent.schema.json', 'utf8')) as Node;

/** Returns the allowed values that the schema lists at a path. */
function wordsAt(...path: readonly (string | number)[]): readonly unknown[] {
  const node = path.reduce<unknown>((at, step) => (at as Record<string | number, unknown> | undefined)?.[step], schema) as Node | undefined;
  return node?.enum ?? assert.fail(`no words at ${path.join('.')}`);
}

const takes = (params: object) => createAgentSchema.safeParse({ name: 'x', model: 'vendor-opus-5', ...params }).success;
const config = ['properties', 'model', 'anyOf', 1, 'properties'] as const;
const toolset = (rest: object) => ({ tools: [{ type: 'agent_toolset_20260401', ...rest }] });
const needs: Readonly<Record<string, object>> = {
  mcp_toolset: { mcp_server_name: 'a' },
  custom: { name: 'a', description: 'a', input_schema: { type: 'object' } },
};

describe('emulator/agents/agentParams', () => {
  // The editor reports values that the schema lacks, so the schema must list every value that the service accepts.
  for (const [what, words, toParams] of [
    ['speed', wordsAt(...config, 'speed'), (speed: unknown) => ({ model: { id: 'm', speed } })],
    ['effort', wordsAt(...config, 'effort', 'anyOf', 0), (effort: unknown) => ({ model: { id: 'm', effort } })],
    [
      'type of effort',
      wordsAt(...config, 'effort', 'anyOf', 1, 'properties', 'type'),
      (type: unknown) => ({ model: { id: 'm', effort: { type } } }),
    ],
    [
      'policy',
      wordsAt('definitions', 'permissionPolicy', 'properties', 'type'),
      (type: unknown) => toolset({ default_config: { permission_policy: { type } } }),
    ],
    ['tool type', wordsAt('definitions', 'tool', 'properties', 'type'), (type: unknown) => ({ tools: [{ type, ...needs[String(type)] }] })],
    [
      'built-in tool',
      wordsAt('definitions', 'tool', 'allOf', 0, 'then', 'properties', 'configs', 'items', 'properties', 'name'),
      (name: unknown) => toolset({ configs: [{ name }] }),
    ],
  ] as const) {
    it(`accepts the words for ${what} that the document schema lists, and no other`, () => {
      for (const word of words) {
        assert.ok(takes(toParams(word)), String(word));
      }
      assert.equal(takes(toParams('sXXtandard')), false);
    });
  }
});
