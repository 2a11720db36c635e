import assert from 'node:assert/strict';
import { toolDefinitionOf } from '../../../../../src/features/sessions/live/toolDefinition';

const ask = { kind: 'customTool', tool: 'get_price' } as const;
const schema = { type: 'object', properties: { item: { type: 'string' } } };
const tool = (description: string, more: object = {}) => ({ type: 'custom', name: 'get_price', description, ...more });

describe('features/sessions/live/toolDefinition', () => {
  it("finds a custom tool in the agent of the asking thread, otherwise in the session's agent", () => {
    const session = { id: 's', agent: { tools: [{ type: 'agent_toolset_20260401' }, tool('of the session', { input_schema: schema })] } };
    const threads = [{ id: 't', agent: { tools: [tool('of the thread')] } }];
    const found = toolDefinitionOf({ session, threads }, ask);
    assert.equal(found?.description?.text, 'of the session');
    assert.deepEqual(JSON.parse(found?.input?.text ?? ''), schema);
    assert.deepEqual(toolDefinitionOf({ session, threads }, { ...ask, thread: 't' }), {
      description: { type: 'text', text: 'of the thread' },
    });
    assert.equal(toolDefinitionOf({ session, threads }, { ...ask, thread: 'other' })?.description?.text, 'of the session');
  });

  it('returns nothing for other tools, confirmations and empty definitions', () => {
    const session = { id: 's', agent: { tools: [tool(''), { ...tool('mine'), type: 'mcp_toolset' }, 'odd', null] } };
    assert.equal(toolDefinitionOf({ session }, ask), undefined);
    assert.equal(toolDefinitionOf({ session: { id: 's', agent: { tools: [tool('mine')] } } }, { ...ask, kind: 'confirmation' }), undefined);
    assert.equal(toolDefinitionOf({ session: { id: 's', agent: 'agent_1' } }, ask), undefined);
    assert.equal(toolDefinitionOf({}, ask), undefined);
  });

  it('cuts an endless definition', () => {
    const long = toolDefinitionOf({ session: { id: 's', agent: { tools: [tool('x'.repeat(100_000))] } } }, ask);
    assert.equal(long?.description?.text.length, 20_000);
    assert.equal(long?.description?.cut, 100_000);
  });
});
