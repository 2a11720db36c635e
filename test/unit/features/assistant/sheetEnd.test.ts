import assert from 'node:assert/strict';
import { toSheetEnd } from '../../../../src/features/assistant/proposedSheets';

describe('features/assistant/sheetEnd', () => {
  it('describes what the user did with the sheet', () => {
    assert.deepEqual(toSheetEnd([], false), { kind: 'open' });
    assert.deepEqual(toSheetEnd([], true), { kind: 'closed' });
    assert.deepEqual(toSheetEnd([{ state: 'created', batchId: 'b' }], true), { kind: 'sent', batchIds: ['b'] });
    assert.deepEqual(toSheetEnd([{ state: 'sending' }, { state: 'created', batchId: 'b' }], true), { kind: 'sending' });
    assert.deepEqual(toSheetEnd([{ state: 'unknown' }], true), { kind: 'failed' });
    assert.deepEqual(toSheetEnd([{ state: 'failed' }], false), { kind: 'failed' });
  });
});
