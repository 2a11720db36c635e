import assert from 'node:assert/strict';
import { ServiceError } from '../../../../src/client/transport/errors';

describe('client/transport/errors', () => {
  it('stores the call and the cause', () => {
    const cause = new Error('below');
    const details = {
      kind: 'api',
      outcome: 'unknown',
      method: 'GET',
      host: 'h:1',
      path: '/p',
      status: 500,
      requestId: 'r',
      retryAfter: 5,
      cause,
    } as const;
    const error = new ServiceError('m', details);
    assert.deepEqual(
      { ...details },
      {
        kind: error.kind,
        outcome: error.outcome,
        method: error.method,
        host: error.host,
        path: error.path,
        status: error.status,
        requestId: error.requestId,
        retryAfter: error.retryAfter,
        cause: error.cause,
      },
    );
  });
});
