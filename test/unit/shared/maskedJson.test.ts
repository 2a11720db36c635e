import assert from 'node:assert/strict';
import { toMaskedJson } from '../../../src/shared/maskedJson';

describe('shared/maskedJson', () => {
  it('masks secrets at any depth, and nothing else', () => {
    const text = toMaskedJson({
      resources: [{ url: 'https://me:pw@example.com/r', authorization_token: 'ghp_x' }],
      system: 'Authorization: "Bearer" \\',
      fallback_credit_token: { token: 'pw3', mode: 'strict' },
      metadata: { token_count: '5', password: 'pw2' },
    });
    assert.doesNotMatch(text, /ghp_x|pw/);
    const parsed = JSON.parse(text);
    assert.equal(parsed.system, 'Authorization: "Bearer" \\');
    assert.deepEqual(parsed.metadata, { token_count: '5', password: '[hidden]' });
  });
});
