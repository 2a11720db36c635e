import assert from 'node:assert/strict';
import { ServiceError } from '../../../../src/client/transport/errors';
import { BackOff } from '../../../../src/common/lists/backOff';

const failure = (retryAfter?: number) =>
  new ServiceError('no', { kind: 'rate_limit', outcome: 'refused', method: 'GET', host: 'h', path: '/', retryAfter });

describe('common/lists/backOff', () => {
  let now = 0;
  const start = () => {
    now = 1_000;
    return new BackOff({ monotonic: () => now }, 1_000);
  };

  it('doubles the delay after each failure, up to five minutes, and resets it after a success', () => {
    const backOff = start();
    const waits = Array.from({ length: 10 }, () => backOff.failed(new Error('no')));
    assert.deepEqual([waits.slice(0, 3), waits.at(-1)], [[2_000, 4_000, 8_000], 300_000]);
    backOff.succeeded();
    assert.equal(backOff.failed(new Error('no')), 2_000);
  });

  it('respects Retry-After, unless the user asks', () => {
    const backOff = start();
    assert.equal(backOff.failed(failure(60_000)), 60_000);
    now += 20_000;
    assert.equal(backOff.wait, 40_000);
    backOff.forgetWait();
    assert.ok(backOff.wait <= 0);
  });
});
