import assert from 'node:assert/strict';
import { errorKind } from '../../../../src/client/transport/errorResponse';
import { ServiceError } from '../../../../src/client/transport/errors';
import { isRefusedForGood } from '../../../../src/features/sessions/isRefusedForGood';

const refusal = (status: number, type?: string) =>
  new ServiceError(String(status), { kind: errorKind(status, type), outcome: 'refused', method: 'GET', host: 'h', path: '/', status });

describe('features/sessions/isRefusedForGood', () => {
  it('knows refusals that will not pass', () => {
    for (const status of [400, 403, 404, 405, 410, 415, 422, 501]) {
      assert.equal(isRefusedForGood(refusal(status)), true, String(status));
    }
    const local = { kind: 'invalid_request', outcome: 'not_sent', method: 'GET', host: 'h', path: '/' } as const;
    assert.equal(isRefusedForGood(new ServiceError('An ID is empty.', local)), true);
  });

  it('knows failures that can pass', () => {
    for (const status of [401, 402, 407, 408, 409, 412, 423, 425, 429, 500, 503, 529]) {
      assert.equal(isRefusedForGood(refusal(status)), false, String(status));
    }
    assert.equal(isRefusedForGood(refusal(425, 'invalid_request_error')), false);
    assert.equal(isRefusedForGood(refusal(403, 'rate_limit_error')), false);
    assert.equal(isRefusedForGood(new Error('lost')), false);
  });
});
