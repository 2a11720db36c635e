import assert from 'node:assert/strict';
import { redact } from '../../../../src/common/text/redaction';

describe('common/text/redaction', () => {
  const canary = 'CANARY-0123456789abcdef';
  for (const text of [
    `Authorization: Bearer ${canary}`,
    `authorization: ${canary}`,
    `Authorization: Basic ${canary}`,
    `{"authorization":"Digest ${canary}"}`,
    `{"authorization":"Bearer ${canary}"}`,
    `X-Api-Key: ${canary}`,
    `{"x-api-key":"${canary}"}`,
    `["x-api-key","${canary}"]`,
    `Proxy-Authorization: Basic ${canary}`,
    `{"authorization_token":"a\\"${canary}"}`,
    `{"fallback_credit_token": "${canary}"}`,
    `sk-ant-${canary}`,
    `connect to http://user:${canary}@proxy:3128`,
  ]) {
    it(`takes the secret out of ${text.replaceAll(canary, '...')}`, () => {
      assert.equal(redact(text).includes(canary), false, redact(text));
    });
  }

  it('leaves ordinary words alone', () => {
    const text = 'POST /v1/messages/batches 400 request-id req_1: requests.0.custom_id is too long';
    assert.equal(redact(text), text);
  });
});
