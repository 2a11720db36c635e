import assert from 'node:assert/strict';
import { maskText } from '../../../../src/common/text/maskText';
import { assertLinear } from '../../../helpers/workOf';

const key = 'sk-9fK2mQ7xLw4TzB8vR3nY6cHd';

describe('common/text/maskText', () => {
  it('masks keys, tokens and passwords anywhere in a text', () => {
    for (const text of [
      `use ${key} please`,
      `Authorization: Bearer ${key}`,
      `curl -H "x-api-key: q81kd73jfu2947dhs82ksla9"`,
      'postgres://joe:hunter2hunter2@db.internal/x',
      `{"api_key":"correct-horse"}`,
      'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYzzTpKq93Lm',
    ]) {
      const masked = maskText(text);
      assert.match(masked, /hidden|redacted/, text);
      for (const secret of [key, 'q81kd73jfu2947dhs82ksla9', 'hunter2', 'correct-horse', 'wJalrXUtn']) {
        assert.ok(!masked.includes(secret), masked);
      }
    }
  });

  it('masks a private key completely, even without its end', () => {
    const begin = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nabcd';
    assert.equal(maskText(`a ${begin}\n-----END RSA PRIVATE KEY----- b`), 'a [hidden] b');
    assert.equal(maskText(`a ${begin}`), 'a [hidden]');
  });

  it('makes hidden and bidirectional characters visible', () => {
    assert.equal(maskText('a\u202eb\u{e0041}'), 'a\\u{202e}b\\u{e0041}');
  });

  it('runs in linear time', () => {
    for (const piece of ['-----BEGIN PRIVATE KEY-----', 'bearer ', 'sk-', '"api_key":', '://a:']) {
      assertLinear(count => () => maskText(piece.repeat(count * 10)));
    }
  });
});
