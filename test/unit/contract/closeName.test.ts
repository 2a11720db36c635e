import assert from 'node:assert/strict';
import { closeName } from '../../../src/contract/closeName';

const fields = ['model', 'messages', 'max_tokens', 'system', 'temperature', 'top_p', 'top_k', 'stop_sequences'];

describe('contract/closeName', () => {
  it('finds a name with a typo or another case', () => {
    const meant: Record<string, string> = {
      max_token: 'max_tokens',
      maxTokens: 'max_tokens',
      'MAX-TOKENS': 'max_tokens',
      mesages: 'messages',
      tmeperature: 'temperature',
      stop_sequence: 'stop_sequences',
      topP: 'top_p',
    };
    for (const [name, field] of Object.entries(meant)) {
      assert.equal(closeName(name, fields), field, name);
    }
  });

  it("doesn't guess", () => {
    for (const name of ['', 'prompt', 'n', 'user', 'response_format', 'x'.repeat(1000), 'frequency_penalty']) {
      assert.equal(closeName(name, fields), undefined, name);
    }
    assert.equal(closeName('model', ['model']), undefined);
  });
});
