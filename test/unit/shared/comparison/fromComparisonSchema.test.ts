import assert from 'node:assert/strict';
import type { FromComparison, FromSessionComparison } from '../../../../src/shared/comparison/comparisonProtocol';
import {
  comparisonStateSchema,
  fromComparisonSchema,
  fromSessionComparisonSchema,
} from '../../../../src/shared/comparison/fromComparisonSchema';

describe('shared/comparison/fromComparisonSchema', () => {
  it("accepts the panel's messages", () => {
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

  it('restores the compared runs of a panel, and rejects state that names none', () => {
    const run = (runId: string, withRetries = false) => ({ runId, withRetries });
    const runs = [run('a'), run('a', true)];
    assert.deepEqual(comparisonStateSchema.parse({ runs, filter: 'all', split: 40 }), { runs });
    assert.deepEqual(comparisonStateSchema.parse({}), {});
    for (const wrong of [[run('a')], [run('a'), run('')], [run('a'), run('b'), run('c')], 'ab', ['a', 'b']]) {
      assert.equal(comparisonStateSchema.safeParse({ runs: wrong }).success, false, JSON.stringify(wrong));
    }
  });

  it('rejects everything else', () => {
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

describe('shared/comparison/fromComparisonSchema fromSessionComparisonSchema', () => {
  it("accepts the panel's messages", () => {
    const messages: readonly FromSessionComparison[] = [
      { type: 'ready' },
      { type: 'window', filter: 'differs', from: 0, count: 50 },
      { type: 'open', filter: 'calls', place: 99_999 },
      { type: 'pair', filter: 'all', place: 3, act: 'before' },
      { type: 'act', act: 'refresh' },
      { type: 'openLink', href: 'https://example.com/' },
      { type: 'copyText', text: 'words' },
    ];
    for (const message of messages) {
      assert.deepEqual(fromSessionComparisonSchema.parse(message), message);
    }
  });

  it('rejects everything else', () => {
    for (const message of [
      undefined,
      { type: 'run', command: 'x' },
      { type: 'ready', more: 1 },
      { type: 'window', filter: 'differs', from: -1, count: 50 },
      { type: 'window', filter: 'all', from: 0, count: 1_000_000 },
      { type: 'open', filter: 'regressed', place: 0 },
      { type: 'open', filter: 'all', place: 0.5 },
      { type: 'pair', filter: 'all', place: 0, act: 'delete' },
      { type: 'act', act: 'send' },
    ]) {
      assert.equal(fromSessionComparisonSchema.safeParse(message).success, false, JSON.stringify(message));
    }
  });
});
