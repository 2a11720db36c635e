import assert from 'node:assert/strict';
import { maskTold } from '../../../../src/features/assistant/maskTold';

describe('features/assistant/maskTold', () => {
  it('hides what stands in fields that are called for secrets, at any depth', () => {
    const told = JSON.stringify(
      maskTold({
        headers: { Authorization: 'plainwords', Cookie: 'a=b' },
        list: [{ github_token: 'plainwords', clientSecret: 'plainwords', db_password: 'plainwords' }],
      }),
    );
    assert.ok(!told.includes('plainwords') && !told.includes('a=b'), told);
  });

  it('leaves what people work with: names of fields that only count, and personal data', () => {
    const value = { max_tokens: 5, output_tokens: 7, stop_reason: 'max_tokens', text: 'Write to ada@lovelace.dev' };
    assert.deepEqual(maskTold(value), value);
  });
});
