import assert from 'node:assert/strict';
import { CallFailures } from '../../../../src/client/transport/callFailures';

describe('client/transport/callFailures', () => {
  const failures = (requestId?: string) => {
    const call = { method: 'POST', host: 'lab', path: '/v1/things/one/pause', key: 'key-of-the-lab' };
    return new CallFailures(requestId === undefined ? call : { ...call, requestId }, {
      connect: 1,
      firstByte: 1,
      bodySilence: 1,
      streamSilence: 1,
      call: 1,
    });
  };
  const refusal = (message: string) => JSON.stringify({ error: { type: 'invalid_request_error', message } });

  it("shows the service's message first, then the source of the error", () => {
    assert.equal(
      failures('req_1').answer(400, refusal('archived things cannot be paused'), 'application/json', undefined).message,
      'archived things cannot be paused (lab answered 400 invalid_request_error to POST /v1/things/one/pause, request-id req_1)',
    );
    assert.equal(
      failures().answer(429, refusal('too many'), 'application/json', 2000).message,
      'too many; it asks to wait 2 s (lab answered 429 invalid_request_error to POST /v1/things/one/pause)',
    );
  });

  it('shows the source of an error without a message, and never a key', () => {
    assert.equal(
      failures('req_1').answer(502, '<html>', 'text/html', undefined).message,
      'lab answered 502 with an HTML page to POST /v1/things/one/pause (request-id req_1)',
    );
    assert.doesNotMatch(failures().answer(401, refusal('bad key key-of-the-lab'), 'application/json', undefined).message, /key-of-the-lab/);
  });
});
