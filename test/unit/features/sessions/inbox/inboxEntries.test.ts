import assert from 'node:assert/strict';
import { toEntry } from '../../../../../src/features/sessions/inbox/inboxEntries';
import type { Ask } from '../../../../../src/shared/session/openAsks';
import { toJsonPart } from '../../../../../src/shared/session/rows/parts';

describe('features/sessions/inbox/inboxEntries', () => {
  const install = { command: 'npm install lodash', cwd: '/w' };

  function keyOf(input: unknown, changes: Partial<Ask> = {}, { agent = 'agent_1', connection = 'Lab' } = {}): string | undefined {
    const ask: Ask = {
      ...{ eventId: 'e', kind: 'confirmation', rowKey: 'r', tool: 'bash', at: undefined },
      input: toJsonPart(input, 4000),
      ...changes,
    };
    const view = { title: 'T', firstWords: '', agent: { id: agent, name: 'Operator' } };
    return toEntry('id', ask, { reference: { connection, sessionId: 's' }, view: view as never, transcript: () => undefined }, undefined)
      .equalKey;
  }

  it('gives asks with equal arguments the same key, in any field order', () => {
    assert.ok(keyOf(install));
    assert.equal(keyOf(install), keyOf({ cwd: '/w', command: 'npm install lodash' }));
  });

  const others: readonly (readonly [name: string, key: () => string | undefined])[] = [
    ['another command', () => keyOf({ ...install, command: 'git push origin main --force' })],
    ['one more blank', () => keyOf({ ...install, command: 'npm install  lodash' })],
    ['one more field', () => keyOf({ ...install, sudo: true })],
    ['a list of the same pairs', () => keyOf(Object.entries(install))],
    ['another tool', () => keyOf(install, { tool: 'sh' })],
    ['another server', () => keyOf(install, { server: 'tracker' })],
    ['another agent', () => keyOf(install, {}, { agent: 'agent_2' })],
    ['another connection', () => keyOf(install, {}, { connection: 'Other' })],
    ['a thread of another agent', () => keyOf(install, { thread: 't', threadName: 'Link checker' })],
  ];
  for (const [name, key] of others) {
    it(`gives ${name} another key`, () => {
      assert.ok(key());
      assert.notEqual(key(), keyOf(install));
    });
  }

  const keyless: readonly (readonly [name: string, key: () => string | undefined])[] = [
    ['arguments that are cut', () => keyOf({ content: 'x'.repeat(5_000) })],
    ['no arguments', () => keyOf(undefined)],
    ['an integer that may have lost digits', () => keyOf({ id: 2 ** 53 })],
    ['a fraction, whose digits are not known as written', () => keyOf({ share: 0.1 })],
    ['a thread whose agent is not known', () => keyOf(install, { thread: 't' })],
    ['a custom tool', () => keyOf(install, { kind: 'customTool' })],
  ];
  for (const [name, key] of keyless) {
    it(`gives ${name} no key`, () => assert.equal(key(), undefined));
  }
});
