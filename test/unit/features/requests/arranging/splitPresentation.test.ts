import assert from 'node:assert/strict';
import { isOneBatch, toLimitsChoice } from '../../../../../src/features/requests/arranging/splitPresentation';
import { fillPlaces } from '../fillPlaces';

describe('features/requests/arranging/splitPresentation', () => {
  it('names the limits of the connection, or says that they are the usual ones', () => {
    const limits = { maxRequests: 100_000, maxBytes: 268_435_456 };
    assert.deepEqual(toLimitsChoice(limits, 'La\u202eb', fillPlaces, 'en'), {
      label: 'To the limits of La\\u{202e}b',
      detail: 'At most 100,000 requests and 268 MB each',
    });
    assert.deepEqual(toLimitsChoice(limits, undefined, fillPlaces, 'en'), {
      label: 'To the usual limits',
      detail: 'At most 100,000 requests and 268 MB each, as connections have them by themselves; none is chosen',
    });
  });

  it('finds a file to be one batch when its only part would be a copy', () => {
    const part = { requests: 1, bodyBytes: 10, firstLine: 0, lastLine: 0 };
    assert.equal(isOneBatch({ parts: [part], bare: 0 }), true);
    assert.equal(isOneBatch({ parts: [part], bare: 1 }), false);
    assert.equal(isOneBatch({ parts: [part, part], bare: 0 }), false);
  });
});
