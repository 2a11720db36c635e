import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EventIndex, fingerprintOf, wasProcessed } from '../../../../src/client/events/eventIndex';
import { anyCharacter } from '../../../helpers/anyCharacter';
import { runs } from '../../../helpers/runs';

describe('client/events/eventIndex', () => {
  it('knows 300,000 names, or some of them, each with its place and its latest fingerprint, and no other', () => {
    const index = new EventIndex();
    const names = runs(300_000);
    for (let count = 1; count <= names; count++) {
      assert.equal(index.set(`sevt_${count}`, count), count);
    }
    assert.equal(index.set('sevt_7', 70), 7);
    assert.equal(index.size, names);
    for (let count = 1; count <= names; count++) {
      assert.deepEqual(index.find(`sevt_${count}`), { ordinal: count, fingerprint: count === 7 ? 70 : count });
      assert.equal(index.find(`other_${count}`), undefined);
    }
  });

  it('takes no two names for one', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: anyCharacter }), { maxLength: 300 }), names => {
        const index = new EventIndex();
        names.forEach((name, place) => {
          assert.equal(index.find(name), undefined);
          assert.equal(index.set(name, 0), place + 1);
        });
      }),
    );
  });

  it('tells bodies apart, whatever the order of their fields', () => {
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

  it('sees any change of what is approved, however long or deep it is', () => {
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

  it('says whether an event had been taken up', () => {
    assert.deepEqual(
      [null, undefined, '2026'].map(processed => wasProcessed(fingerprintOf({ type: 'a', processed_at: processed }))),
      [false, true, true],
    );
  });

  it('looks at no more than it must of what is deep or long', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 100_000; level++) {
      deep = [deep];
    }
    fingerprintOf({ type: 'a', deep, long: 'x'.repeat(10_000_000) });
  });
});
