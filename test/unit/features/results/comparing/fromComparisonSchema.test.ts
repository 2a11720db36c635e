import assert from 'node:assert/strict';
import { comparisonStateSchema, fromComparisonSchema } from '../../../../../src/features/results/comparing/fromComparisonSchema';
import type { FromComparison } from '../../../../../src/shared/comparison/comparisonProtocol';

describe('features/results/comparing/fromComparisonSchema', () => {
  it('takes what the panel says', () => {
    const messages: readonly FromComparison[] = [
      { type: 'ready' },
      { type: 'window', filter: 'all', from: 0, count: 50 },
      { type: 'open', filter: 'regressed', place: 99_999 },
      { type: 'pair', filter: 'same', place: 3, act: 'difference' },
      { type: 'act', act: 'together' },
      { type: 'openLink', href: 'https://example.com/' },
      { type: 'copyText', text: 'words' },
    ];
    for (const message of messages) {
      assert.deepEqual(fromComparisonSchema.parse(message), message);
    }
  });

  it('takes which runs a panel compared, and nothing that names none', () => {
    assert.deepEqual(comparisonStateSchema.parse({ runIds: ['a', 'b'], filter: 'all', split: 40 }), { runIds: ['a', 'b'] });
    assert.deepEqual(comparisonStateSchema.parse({}), {});
    for (const runIds of [['a'], ['a', ''], ['a', 'b', 'c'], 'ab', [1, 2]]) {
      assert.equal(comparisonStateSchema.safeParse({ runIds }).success, false, JSON.stringify(runIds));
    }
  });

  it('takes nothing else', () => {
    for (const message of [
      undefined,
      { type: 'run', command: 'x' },
      { type: 'ready', more: 1 },
      { type: 'window', filter: 'all', from: -1, count: 50 },
      { type: 'window', filter: 'all', from: 0, count: 1_000_000 },
      { type: 'open', filter: 'other', place: 0 },
      { type: 'open', filter: 'all', place: 0.5 },
      { type: 'pair', filter: 'all', place: 0, act: 'delete' },
    ]) {
      assert.equal(fromComparisonSchema.safeParse(message).success, false, JSON.stringify(message));
    }
  });
});
