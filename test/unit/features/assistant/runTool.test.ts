import assert from 'node:assert/strict';
import * as z from 'zod';
import type { AssistantServices } from '../../../../src/features/assistant/assistantServices';
import { defineTool, ToolRefusal } from '../../../../src/features/assistant/assistantTool';
import { runTool } from '../../../../src/features/assistant/runTool';
import type { ToolLevel } from '../../../../src/features/assistant/toolLevel';

describe('features/assistant/runTool', () => {
  const { signal } = new AbortController();
  let ran: unknown[] = [];
  const tool = defineTool({
    name: 'try_it',
    needs: 'read',
    icon: '',
    description: '',
    input: z.strictObject({ count: z.int().min(1).default(2), name: z.string().optional() }),
    async run(input) {
      ran.push(input);
      return { facts: { count: input.count } };
    },
  });
  const services = (level: ToolLevel = 'read', isTrusted = true) =>
    ({ level: () => level, isTrusted: () => isTrusted }) as unknown as AssistantServices;

  beforeEach(() => {
    ran = [];
  });

  it('passes the parsed input to the tool', async () => {
    assert.match((await runTool(tool, { count: 4 }, services(), signal))(), /\{"count":4\}$/);
    await runTool(tool, undefined, services(), signal);
    assert.deepEqual(ran, [{ count: 4 }, { count: 2 }]);
  });

  it('explains invalid input, and does nothing', async () => {
    for (const input of [{ count: '4' }, { count: 0 }, { cuont: 4 }, [], 'x', 7, true, { count: 1, name: {} }]) {
      const refusal = (await runTool(tool, input, services(), signal))();
      assert.match(refusal, /not understood, so nothing was done.*Its fields are: count, name\. Correct the input/, refusal);
    }
    assert.deepEqual(ran, []);
  });

  it('explains why it does nothing in an untrusted workspace, or below its level', async () => {
    assert.match((await runTool(tool, {}, services('full', false), signal))(), /not trusted, so nothing was done/);
    for (const level of ['off', 'metadata'] as const) {
      const refusal = (await runTool(tool, {}, services(level), signal))();
      assert.ok(refusal.includes(`is \\"${level}\\" here and would have to be \\"read\\"`), refusal);
    }
    assert.deepEqual(ran, []);
    await runTool(tool, {}, services('full'), signal);
    assert.equal(ran.length, 1);
  });

  it('distinguishes a refusal from a result about an error', async () => {
    const failed = { ...tool, run: async () => ({ facts: { error: 'what the service said' } }) };
    assert.equal((await runTool(failed, {}, services(), signal)).isRefusal, false);
    assert.equal((await runTool(tool, { count: 0 }, services(), signal)).isRefusal, true);
  });

  it('explains failures, and rejects only when canceled', async () => {
    const failing = { ...tool, run: () => Promise.reject(new ToolRefusal('Call the other one.')) };
    assert.match((await runTool(failing, {}, services(), signal))(), /"error":"Call the other one\."/);
    const caller = new AbortController();
    const cancelled = {
      ...tool,
      run: async () => {
        caller.abort();
        throw new Error('late');
      },
    };
    await assert.rejects(runTool(cancelled, {}, services(), caller.signal), { name: 'AbortError' });
    await assert.rejects(runTool(tool, {}, services(), caller.signal), { name: 'AbortError' });
    assert.deepEqual(ran, []);
  });
});
