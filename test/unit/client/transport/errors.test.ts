import assert from 'node:assert/strict';
import * as errors from '../../../../src/client/transport/errors';

describe('client/transport/errors', () => {
  it('has a class of its own for every kind, by name and by instanceof', () => {
    const classes = Object.entries(errors).filter(
      ([name]) => name.endsWith('Error') && name !== 'ServiceError' && name !== 'createServiceError',
    );
    const kinds: readonly errors.ServiceErrorKind[] = [
      ...([
        'invalid_request',
        'authentication',
        'billing',
        'permission',
        'not_found',
        'conflict',
        'request_too_large',
        'rate_limit',
      ] as const),
      ...(['timeout', 'api', 'overloaded', 'other_status', 'redirect', 'dns', 'connection_refused', 'connect_timeout'] as const),
      ...(['first_byte_timeout', 'silence_timeout', 'call_timeout', 'connection_lost', 'tls', 'proxy', 'not_json', 'mismatch'] as const),
      ...(['too_large', 'stream_error', 'no_credential', 'foreign_origin', 'insecure_http', 'aborted'] as const),
    ];
    const made = kinds.map(kind => errors.createServiceError('m', { kind, outcome: 'unknown', method: 'GET', host: 'h', path: '/p' }));
    assert.ok(made.every(error => error instanceof errors.ServiceError && error.message === 'm'));
    assert.deepEqual(new Set(made.map(error => error.name)), new Set(classes.map(([name]) => name)));
    assert.ok(made.every(error => error.constructor.name === error.name));
    assert.equal(new Set(made.map(error => error.constructor)).size, kinds.length);
  });

  it('keeps what is known of the call and the cause', () => {
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
    const error = errors.createServiceError('m', details);
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
