import assert from 'node:assert/strict';
import { fromWebviewSchema } from '../../../../src/shared/sheet/fromSheetSchema';

const accepts = (message: unknown) => fromWebviewSchema.safeParse(message).success;

describe('shared/sheet/fromSheetSchema', () => {
  it('accepts every message of the protocol', () => {
    for (const type of [
      ...['ready', 'close', 'checkAgain', 'stopEstimate', 'startEstimate', 'copySha', 'showProblems', 'fix', 'showTable', 'split'],
      ...['resolve', 'leadOn', 'writePrimer', 'convert', 'stopSending', 'setUserProfile', 'switchConnection', 'writeRetry', 'fetchEarlier'],
    ]) {
      assert.ok(accepts({ type }), type);
    }
    assert.ok(accepts({ type: 'choose', choice: 'trial', size: 10 }));
    assert.ok(accepts({ type: 'choose', choice: 'retry' }));
    assert.ok(accepts({ type: 'chooseCause', cause: 'failed', isChosen: false }));
    assert.ok(accepts({ type: 'changeCause', cause: 'failed' }));
    assert.ok(accepts({ type: 'setPrices', prices: [{ model: 'm', input: 0, output: 1.5 }] }));
    assert.ok(accepts({ type: 'create', revision: 3 }));
    assert.ok(accepts({ type: 'openPlace', line: 0, start: 0, end: 7 }));
    assert.ok(accepts({ type: 'mark', prefix: 'p1', ttl: '1h' }));
    assert.ok(accepts({ type: 'mark', ttl: '5m' }));
    assert.ok(accepts({ type: 'writePrimer', prefix: 'p1' }));
  });

  it('rejects everything else: unknown types, extra fields, commands, paths and invalid numbers', () => {
    for (const message of [
      undefined,
      null,
      'create',
      {},
      { type: 'send' },
      { type: 'create' },
      { type: 'create', revision: '1' },
      { type: 'create', revision: 1.5 },
      { type: 'create', revision: -1 },
      { type: 'create', revision: 1, connection: 'Other' },
      { type: 'close', command: 'workbench.action.quit' },
      { type: 'openPlace', line: 0, start: 0, end: Number.NaN },
      { type: 'openPlace', line: 0, start: 0, end: 1, uri: 'file:///etc/passwd' },
      { type: 'openPlace', line: 2 ** 40, start: 0, end: 1 },
      { type: 'mark', prefix: 'p1', ttl: '24h' },
      { type: 'mark', prefix: 'x'.repeat(1000), ttl: '5m' },
      { type: 'writePrimer', prefix: 7 },
      { type: 'choose', choice: 'canary' },
      { type: 'choose', choice: 'trial', size: 0 },
      { type: 'chooseCause', cause: 'failed' },
      { type: 'setPrices', prices: [{ model: 'm', input: -1, output: 1 }] },
      { type: 'setPrices', prices: [{ model: 'm', input: 1, output: 1, currency: 'EUR' }] },
      [{ type: 'close' }],
    ]) {
      assert.ok(!accepts(message), JSON.stringify(message));
    }
  });
});
