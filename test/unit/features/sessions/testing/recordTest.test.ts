import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Session } from '../../../../../src/client/resources/sessions';
import { recordTest } from '../../../../../src/features/sessions/testing/recordTest';
import { readTest } from '../../../../../src/features/sessions/testing/testDocument';
import { JsonSchema } from '../../../../../src/shared/schema/jsonSchema';

const t = (message: string, ...args: (string | number)[]) => message.replace(/\{(\d)\}/g, (_, at) => String(args[Number(at)]));
const session = { id: 'sesn_1', type: 'session', agent: { id: 'agent_1', type: 'agent', name: 'Writer', version: 3 } } as Session;
const record = (events: readonly { readonly type: string; readonly [field: string]: unknown }[], of = session) => {
  const recorded = recordTest(of, events, { version: 'latest', connection: 'Lab' });
  return { ...recorded, document: JSON.parse(recorded.text) };
};
const text = (said: string) => [{ type: 'text', text: said }];

describe('features/sessions/testing/recordTest', () => {
  it('contains messages, calls and answers, and can be parsed', () => {
    const { document, text: written } = record([
      { type: 'user.message', content: [...text('One'), ...text('Two')] },
      { type: 'agent.mcp_tool_use', id: 'e1', name: 'find', mcp_server_name: 'issues', input: { q: 'x' }, evaluated_permission: 'ask' },
      { type: 'user.tool_confirmation', tool_use_id: 'e1', result: 'deny', deny_message: 'Not now' },
      { type: 'agent.custom_tool_use', id: 'e2', name: 'get_price', input: { item: 'tea' } },
      { type: 'user.custom_tool_result', custom_tool_use_id: 'e2', content: [{ type: 'image', source: {} }], is_error: true },
      { type: 'user.message', content: 'Three' },
    ]);
    assert.equal(document.connection, 'Lab');
    assert.deepEqual(document.messages, ['One\nTwo', 'Three']);
    assert.deepEqual(document.calls, [
      { tool: 'find', server: 'issues', input: { q: 'x' } },
      { tool: 'get_price', input: { item: 'tea' } },
    ]);
    assert.deepEqual(document.decisions, [{ tool: 'find', server: 'issues', input: { q: 'x' }, decision: 'deny', reason: 'Not now' }]);
    assert.deepEqual(document.answers, [
      { tool: 'get_price', input: { item: 'tea' }, content: [{ type: 'image', source: {} }], is_error: true },
    ]);
    assert.deepEqual(readTest(written, t).problems, []);
  });

  it("names its connection, and doesn't compare arguments that contain the session's IDs", () => {
    const { document, text: written } = record(
      [
        { type: 'user.message', id: 'sevt_00000001', content: text('x') },
        { type: 'agent.tool_use', id: 'sevt_00000002', name: 'bash', input: { command: 'ls /mnt/sesn_00000009/out', cwd: '/' } },
        { type: 'agent.tool_use', id: 'sevt_00000003', name: 'log', input: { 'a/b': [{ of: 'sevt_00000001' }] } },
      ],
      { ...session, id: 'sesn_00000009' },
    );
    assert.equal(document.connection, 'Lab');
    assert.deepEqual(
      document.calls.map(({ ignore }: { ignore?: unknown }) => ignore),
      [['/command'], ['/a~1b/0/of']],
    );
    const read = readTest(written, t);
    assert.deepEqual([read.problems, read.test?.connection], [[], 'Lab']);
  });

  it('contains a call once that the service repeated to ask for permission', () => {
    const call = { type: 'agent.tool_use', name: 'bash', tool_use_id: 'toolu_1', input: { command: 'ls' } };
    const { document } = record([
      { type: 'user.message', content: text('x') },
      { ...call, id: 'e1' },
      { ...call, id: 'e2', evaluated_permission: 'ask' },
      { type: 'user.tool_confirmation', tool_use_id: 'e2', result: 'allow' },
    ]);
    assert.equal(document.calls.length, 1);
    assert.equal(document.decisions.length, 1);
  });

  it('compares only calls of the main thread, but answers those of all', () => {
    const thread = { session_thread_id: 'sthr_2' };
    const { document, leftOut } = record([
      { type: 'user.message', content: text('x') },
      { type: 'session.thread_created', ...thread },
      { type: 'agent.tool_use', id: 'e1', name: 'bash', input: {}, session_thread_id: 'sthr_1' },
      { type: 'agent.tool_use', id: 'e2', name: 'grep', input: {}, evaluated_permission: 'ask', ...thread },
      { type: 'user.tool_confirmation', tool_use_id: 'e2', result: 'allow', ...thread },
      { type: 'user.message', content: text('to the other'), ...thread },
    ]);
    assert.deepEqual(
      document.calls.map(({ tool }: { tool: string }) => tool),
      ['bash'],
    );
    assert.deepEqual(
      document.decisions.map(({ tool }: { tool: string }) => tool),
      ['grep'],
    );
    assert.deepEqual(document.messages, ['x']);
    assert.deepEqual(leftOut, { blocks: 0, events: 1, attached: 0 });
  });

  it('lists what it leaves out, and masks secrets', () => {
    const of = { ...session, resources: [{ type: 'file' }], vault_ids: ['vlt_1'] } as Session;
    const { leftOut, text: written } = record(
      [
        { type: 'user.message', content: [...text('x'), { type: 'image', source: {} }] },
        { type: 'user.interrupt' },
        { type: 'agent.tool_use', id: 'e1', name: 'fetch', input: { password: 'hunter2', url: 'https://me:hunter2@a.example' } },
      ],
      of,
    );
    assert.deepEqual(leftOut, { blocks: 1, events: 1, attached: 2 });
    assert.doesNotMatch(written, /hunter2/);
  });

  it("writes only what its schema allows, and the schema rejects what can't be parsed", () => {
    const schema = new JsonSchema(JSON.parse(readFileSync('media/schemas/sessionTest.schema.json', 'utf8')));
    const { document } = record([
      { type: 'user.message', content: text('x') },
      { type: 'agent.custom_tool_use', id: 'e1', name: 'a', input: {} },
      { type: 'user.custom_tool_result', custom_tool_use_id: 'e1', content: text('y') },
    ]);
    assert.equal(schema.check(document), undefined);
    const call = { tool: 'a' };
    for (const [name, value, isFine] of [
      ['budget', '0.50', true],
      ['budget', 0.5, false],
      ['budget', '1.234', false],
      ['calls', [{ ...call, ignore: ['/a/*/b'] }], true],
      ['calls', [{ ...call, ignore: ['a'] }], false],
      ['calls', [{}], false],
      ['messages', [], false],
      ['messages', [' '], false],
      ['agent', { id: 'a', version: 2 }, true],
      ['agent', { id: 'a', version: 'newest' }, false],
      ['compare', { order: 'any', extra_calls: 'allow' }, true],
      ['compare', { order: 'none' }, false],
      ['answers', [{ ...call, content: [{ type: 'x' }] }], true],
      ['answers', [call], false],
      ['decisions', [{ ...call, decision: 'deny', reason: 'no' }], true],
      ['decisions', [{ ...call, decision: 'ask' }], false],
      ['limit_seconds', 0, false],
      ['afterwards', 'delete', false],
      ['decide_on_service', true, true],
    ] as const) {
      const changed = { ...document, [name]: value };
      const what = `${name}: ${JSON.stringify(value)}`;
      assert.equal(schema.check(changed) === undefined, isFine, `schema, ${what}`);
      assert.equal(readTest(JSON.stringify(changed), t).test !== undefined, isFine, `reader, ${what}`);
    }
  });
});
