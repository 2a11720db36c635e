import assert from 'node:assert/strict';
import { fromSessionComparisonSchema } from '../../../../src/shared/comparison/fromSessionComparisonSchema';
import type { FromSessionComparison } from '../../../../src/shared/comparison/sessionComparisonProtocol';

describe('shared/comparison/fromSessionComparisonSchema', () => {
  it('takes what the panel says', () => {
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

  it('takes nothing else', () => {
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
