import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fingerprintOf, wasProcessed } from '../../../../src/client/events/eventFingerprint';

describe('client/events/eventFingerprint', () => {
  it('distinguishes bodies, in any field order', () => {
    const event = { type: 'agent.tool_use', id: 'e', input: { a: [1, 'x', { b: null }], c: true }, processed_at: '2026' };
    const same = { processed_at: '2026', input: { c: true, a: [1, 'x', { b: null }] }, id: 'e', type: 'agent.tool_use' };
    assert.equal(fingerprintOf(event), fingerprintOf(same));
    assert.equal(fingerprintOf(event), fingerprintOf({ ...event, session_thread_id: 't', created_at: null }));
    const others = [
      { ...event, input: { ...event.input, a: ['x', 1, { b: null }] } },
      { ...event, input: { ...event.input, c: false } },
      { ...event, input: { ...event.input, a: [1, 'y', { b: null }] } },
      { ...event, input: { ...event.input, a: [2, 'x', { b: null }] } },
      { ...event, input: { d: event.input } },
      { ...event, more: 1 },
      { ...event, processed_at: '2027' },
      { ...event, text: 'a'.repeat(100_000) },
      { ...event, text: `${'a'.repeat(99_999)}b` },
      { ...event, text: 'a'.repeat(100_001) },
    ];
    assert.equal(new Set([event, ...others].map(fingerprintOf)).size, others.length + 1);
  });

  it('notices any change, at any length or depth', () => {
    const long = (at: number, mark: string): string => `${'x'.repeat(at)}${mark}${'x'.repeat(20_000 - at)}`;
    const levels = (count: number, leaf: string): unknown => {
      let value: unknown = leaf;
      for (let level = 0; level < count; level++) {
        value = [value];
      }
      return value;
    };
    const event = { type: 'agent.tool_use', id: 'e', input: { command: 'ls' }, evaluated_permission: 'ask' };
    const changes: ((mark: string, at: number) => object)[] = [
      (mark, at) => ({ input: { command: long(at, mark) } }),
      (mark, at) => ({ input: { [long(at, mark)]: true } }),
      (mark, at) => ({ input: levels(500, long(at, mark)) }),
      (mark, at) => ({ name: long(at, mark) }),
      (mark, at) => ({ tool_name: long(at, mark) }),
      (mark, at) => ({ mcp_server_name: long(at, mark) }),
      (mark, at) => ({ content: [{ type: 'tool_use', input: { command: long(at, mark) } }] }),
      (mark, at) => ({ evaluated_permission: long(at, mark) }),
      (mark, at) => ({ processed_at: long(at, mark) }),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...changes), fc.nat({ max: 20_000 }), (change, at) => {
        const [before, after] = ['a', 'b'].map(mark => fingerprintOf({ ...event, ...change(mark, at) }));
        assert.notEqual(before, after);
      }),
    );
  });

  it('says whether an event had been processed', () => {
    assert.deepEqual(
      [null, undefined, '2026'].map(processed => wasProcessed(fingerprintOf({ type: 'a', processed_at: processed }))),
      [false, true, true],
    );
  });

  it('accepts values of any depth and length', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 100_000; level++) {
      deep = [deep];
    }
    fingerprintOf({ type: 'a', deep, long: 'x'.repeat(10_000_000) });
  });
});
