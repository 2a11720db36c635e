import assert from 'node:assert/strict';
import { errorKind } from '../../../../src/client/transport/errorResponse';
import { ServiceError } from '../../../../src/client/transport/errors';
import { isListRefused } from '../../../../src/features/sessions/isListRefused';

const refusal = (status: number, type?: string) =>
  new ServiceError(String(status), { kind: errorKind(status, type), outcome: 'refused', method: 'GET', host: 'h', path: '/', status });

describe('features/sessions/isListRefused', () => {
  it('knows refusals that will not pass', () => {
    for (const status of [400, 403, 404, 405, 410, 415, 422, 501]) {
      assert.equal(isListRefused(refusal(status)), true, String(status));
    }
    const local = { kind: 'invalid_request', outcome: 'not_sent', method: 'GET', host: 'h', path: '/' } as const;
    assert.equal(isListRefused(new ServiceError('An ID is empty.', local)), true);
  });

  it('knows failures that can pass', () => {
    for (const status of [401, 402, 408, 409, 425, 429, 500, 503, 529]) {
      assert.equal(isListRefused(refusal(status)), false, String(status));
    }
    assert.equal(isListRefused(refusal(425, 'invalid_request_error')), false);
    assert.equal(isListRefused(new Error('lost')), false);
  });
});
