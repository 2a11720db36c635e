import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type CallDifference, compareCalls } from '../../../../../src/features/sessions/testing/compareCalls';
import type { AgentCall, Comparison, ExpectedCall } from '../../../../../src/features/sessions/testing/testDocument';
import { runs } from '../../../../helpers/runs';

const strict: Comparison = { order: 'recorded', extraCalls: 'fail', ignore: [] };
const call = (tool: string, input: unknown = {}): AgentCall => ({ tool, input });
const wanted = (calls: readonly AgentCall[], ignore: readonly string[] = []): ExpectedCall[] => calls.map(each => ({ ...each, ignore }));
const someCall = fc.record({ tool: fc.constantFrom('bash', 'read'), input: fc.record({ path: fc.constantFrom('a', 'b', 'c') }) });
const someCalls = fc.array(someCall, { maxLength: 7 });

describe('features/sessions/testing/compareCalls', () => {
  const [list, other, read] = [call('bash', { command: 'ls' }), call('bash', { command: 'ls -a' }), call('read', { path: 'a' })];
  for (const [what, expected, actual, how, differences] of [
    ['the same calls', [list, read], [list, read], {}, []],
    ['other arguments', [list, read], [other, read], {}, [{ kind: 'changed', expected: 0, actual: 0 }]],
    ['a call that is missing', [list, read], [read], {}, [{ kind: 'missing', expected: 0 }]],
    ['a call too many', [read], [list, read], {}, [{ kind: 'extra', actual: 0 }]],
    ['a call too many that may be', [read], [list, read, other], { extraCalls: 'allow' }, []],
    [
      'other arguments among calls that may be',
      [list],
      [read, other],
      { extraCalls: 'allow' },
      [{ kind: 'changed', expected: 0, actual: 1 }],
    ],
    [
      'another tool',
      [list],
      [read],
      {},
      [
        { kind: 'missing', expected: 0 },
        { kind: 'extra', actual: 0 },
      ],
    ],
    [
      'another order',
      [list, read],
      [read, list],
      {},
      [
        { kind: 'missing', expected: 0 },
        { kind: 'extra', actual: 1 },
      ],
    ],
    ['another order that may be', [list, read], [read, list], { order: 'any' }, []],
    ['other arguments in any order', [list, read], [read, other], { order: 'any' }, [{ kind: 'changed', expected: 0, actual: 1 }]],
    ['other arguments that are ignored', [list], [other], { ignore: ['/command'] }, []],
    ['another server', [{ ...list, server: 'a' }], [{ ...list, server: 'b' }], { extraCalls: 'allow' }, [{ kind: 'missing', expected: 0 }]],
    [
      'a member named __proto__',
      [call('bash', JSON.parse('{"__proto__":1}'))],
      [call('bash', {})],
      {},
      [{ kind: 'changed', expected: 0, actual: 0 }],
    ],
  ] as readonly [string, readonly AgentCall[], readonly AgentCall[], Partial<Comparison>, readonly CallDifference[]][]) {
    it(`reports ${what}`, () => {
      assert.deepEqual(compareCalls(wanted(expected), actual, { ...strict, ...how }), differences);
    });
  }

  it('accepts any arguments if none are expected, and ignores what one call ignores', () => {
    assert.deepEqual(compareCalls([{ tool: 'bash', ignore: [] }], [other], strict), []);
    assert.deepEqual(compareCalls([...wanted([list], ['/command']), ...wanted([list])], [other, other], strict), [
      { kind: 'changed', expected: 1, actual: 1 },
    ]);
  });

  it('assigns a call that matches several expectations to the one that needs it', () => {
    const loose = wanted([list], ['/command']);
    assert.deepEqual(compareCalls([...loose, ...wanted([list])], [list, other], { ...strict, order: 'any' }), []);
    assert.deepEqual(compareCalls([...loose, ...wanted([list])], [other, list], { ...strict, order: 'any' }), []);
  });

  it('finds no differences between equal calls, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ tool: fc.string(), input: fc.jsonValue() })), fc.constantFrom('recorded', 'any'), (calls, order) => {
        assert.deepEqual(compareCalls(wanted(calls), calls, { ...strict, order }), []);
        const shuffled = [...calls].reverse();
        assert.deepEqual(compareCalls(wanted(calls), shuffled, { ...strict, order: 'any' }), []);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('uses each call once, and pairs the maximum in any order', () => {
    fc.assert(
      fc.property(someCalls, someCalls, fc.constantFrom('recorded', 'any'), (expected, actual, order) => {
        const found = compareCalls(wanted(expected), actual, { ...strict, order });
        const left = found.flatMap(one => ('expected' in one ? [one.expected] : []));
        const right = found.flatMap(one => ('actual' in one ? [one.actual] : []));
        assert.equal(new Set(left).size, left.length);
        assert.equal(new Set(right).size, right.length);
        assert.equal(expected.length - left.length, actual.length - right.length, 'what is left fits one to one');
        if (order === 'any') {
          assert.equal(expected.length - left.length, maxPairs(expected, actual));
        }
        const names = (calls: readonly AgentCall[], places: readonly number[]) =>
          calls.flatMap((each, at) => (places.includes(at) ? [] : [JSON.stringify(each)]));
        const [fromExpected, fromActual] = [names(expected, left), names(actual, right)];
        assert.deepEqual(order === 'any' ? fromExpected.sort() : fromExpected, order === 'any' ? fromActual.sort() : fromActual);
        for (const one of found) {
          if (one.kind === 'changed') {
            assert.equal(expected[one.expected]?.tool, actual[one.actual]?.tool);
          }
        }
      }),
      { numRuns: runs(3000) },
    );
  });

  it('never finds more differences if order is free or extra calls are allowed', () => {
    fc.assert(
      fc.property(someCalls, someCalls, (expected, actual) => {
        const count = (how: Partial<Comparison>) => compareCalls(wanted(expected), actual, { ...strict, ...how }).length;
        assert.ok(count({ extraCalls: 'allow' }) <= count({}));
        assert.ok(count({ order: 'any', extraCalls: 'allow' }) <= count({ extraCalls: 'allow' }));
        assert.equal(count({}) === 0, JSON.stringify(expected) === JSON.stringify(actual));
      }),
      { numRuns: runs(3000) },
    );
  });
});

/** Returns the maximum number of pairs of equal calls, one from each list. */
function maxPairs(one: readonly AgentCall[], other: readonly AgentCall[]): number {
  const count = (calls: readonly AgentCall[], key: string) => calls.filter(each => JSON.stringify(each) === key).length;
  const keys = new Set(one.map(each => JSON.stringify(each)));
  return [...keys].reduce((sum, key) => sum + Math.min(count(one, key), count(other, key)), 0);
}
