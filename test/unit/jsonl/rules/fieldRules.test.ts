import assert from 'node:assert/strict';
import { looksPersonal } from '../../../../src/jsonl/rules/fieldRules';
import { foundIn } from './foundIn';

const format = { type: 'json_schema', schema: {} };

describe('jsonl/rules/fieldRules', () => {
  it('hints at deprecated fields, at their keys', () => {
    const rule = 'deprecated-field';
    const all = { temperature: 1, top_k: 1, top_p: 1, output_format: format };
    assert.deepEqual(
      foundIn(rule, all),
      Object.keys(all).map(key => `hint ${key} "${key}"`),
    );
    assert.deepEqual(foundIn(rule, { output_format: null, output_config: { format } }), []);
  });

  it('finds the format of the answer in two places', () => {
    const rule = 'output-format-twice';
    assert.deepEqual(foundIn(rule, { output_format: format, output_config: { format } }), ['warning output_format "output_format"']);
    assert.deepEqual(foundIn(rule, { output_format: null, output_config: { format } }), []);
    assert.deepEqual(foundIn(rule, { output_format: format, output_config: { format: null } }), []);
  });

  it('finds user ids that say who somebody is', () => {
    const rule = 'personal-user-id';
    assert.deepEqual(foundIn(rule, { metadata: { user_id: 'ann@example.org' } }), ['warning metadata.user_id "ann@example.org"']);
    assert.deepEqual(foundIn(rule, { metadata: { user_id: null } }), []);
    for (const personal of ['a@b.co', 'Ann <a@b.co>', '+49 30 1234567', '(030) 123-4567', '030/1234567']) {
      assert.equal(looksPersonal(personal), true, personal);
    }
    for (const opaque of ['', 'user-1', '1234567890', '3f2a9c10-0000-4000-8000-000000000000', 'a@b', '@me', '2026-01-31', '12-34', 'x+1']) {
      assert.equal(looksPersonal(opaque), false, opaque);
    }
  });

  it('warns of secrets in the file, without quoting them', () => {
    const server = { type: 'url', name: 'n', url: 'u' };
    assert.deepEqual(foundIn('token-in-file', { mcp_servers: [server, { ...server, authorization_token: 's3cret' }] }), [
      'warning mcp_servers.1.authorization_token "authorization_token"',
    ]);
    assert.deepEqual(foundIn('token-in-file', { mcp_servers: [{ ...server, authorization_token: null }] }), []);
  });
});
