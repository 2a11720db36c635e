import assert from 'node:assert/strict';
import { credentials, describeValidation, type TriedCredential } from '../../../../../src/features/resources/kinds/credentials';
import { context } from '../presenting';

const credential = (auth: object, more: object = {}): TriedCredential => ({
  id: 'vcrd_1',
  type: 'vault_credential',
  display_name: 'Linear',
  updated_at: '2026-06-01T10:00:00Z',
  auth: auth as NonNullable<TriedCredential['auth']>,
  ...more,
});
const oauth = (more: object = {}) => ({ type: 'mcp_oauth', mcp_server_url: 'https://mcp.example.com/mcp', ...more });
const row = (value: TriedCredential) => credentials.row(value, context);

describe('features/resources/kinds/credentials', () => {
  it('show their purpose, and where they may be sent', () => {
    assert.equal(
      row(credential({ type: 'static_bearer', mcp_server_url: 'https://mcp.example.com/' })).description,
      'bearer token · mcp.example.com',
    );
    const variable = (networking: object) =>
      row(credential({ type: 'environment_variable', secret_name: 'TOKEN', networking })).description;
    assert.equal(variable({ type: 'unrestricted' }), 'environment variable · TOKEN · to any host');
    assert.equal(variable({ type: 'limited', allowed_hosts: ['a.example'] }), 'environment variable · TOKEN · to a.example');
    assert.equal(variable({ type: 'limited', allowed_hosts: ['a', 'b'] }), 'environment variable · TOKEN · to 2 hosts');
    assert.equal(row(credential({ type: 'later', mcp_server_url: 'no address' })).description, 'later · no address');
  });

  it("warn if they expired and aren't refreshed", () => {
    const expired = row(credential(oauth({ expires_at: '2026-06-01T11:00:00Z' })));
    assert.deepEqual([expired.icon, expired.color], ['warning', 'list.warningForeground']);
    assert.equal(expired.description, 'expired 1 hr. ago · OAuth · mcp.example.com/mcp');
    const refreshed = row(credential(oauth({ expires_at: '2026-06-01T11:00:00Z', refresh: { client_id: 'me' } })));
    assert.deepEqual([refreshed.icon, refreshed.description], ['key', 'refreshed automatically · OAuth · mcp.example.com/mcp']);
    assert.match(row(credential(oauth({ expires_at: '2026-06-04T12:00:00Z' }))).description, /^expires in 3 days · OAuth/);
    assert.equal(row(credential(oauth({ expires_at: 'soon' }))).icon, 'key');
  });

  it('show their last validation until they change', () => {
    const tried = (status: string) => credential(oauth(), { validation: { status, validated_at: '2026-06-01T11:58:00Z' } });
    assert.deepEqual([row(tried('valid')).icon, row(tried('invalid')).icon, row(tried('unknown')).icon], ['verified', 'error', 'key']);
    assert.match(row(tried('invalid')).spoken, /^Linear, invalid 2 min\. ago, OAuth/);
    assert.match(row(tried('dreaming')).description, /^dreaming/);
    const [before] = [tried('valid')];
    assert.equal(credentials.carry?.(before, credential(oauth()))?.validation?.status, 'valid');
    assert.equal(credentials.carry?.(before, credential(oauth(), { updated_at: 'later' }))?.validation, undefined);
    assert.equal(credentials.carry?.(before, tried('invalid'))?.validation?.status, 'invalid');
  });

  it('offer to be validated if the service can, and not when archived', () => {
    assert.match(row(credential(oauth())).abilities, /\brotatable validatable\b/);
    assert.doesNotMatch(row(credential({ type: 'static_bearer' })).abilities, /validatable/);
    assert.equal(row(credential(oauth(), { archived_at: '2026-05-01T00:00:00Z' })).abilities, 'resource credential deletable');
  });

  it('show hosts, refresh and validation among the facts', () => {
    const refresh = { token_endpoint: 'https://auth.example.com', client_id: 'me', token_endpoint_auth: { type: 'none' } };
    const validation = {
      status: 'invalid',
      validated_at: '2026-06-01T11:58:00Z',
      mcp_probe: { method: 'initialize', http_response: { status_code: 401, said: 'invalid_token' } },
      refresh: { status: 'no_refresh_token' },
    };
    const facts = new Map(credentials.facts(credential(oauth({ refresh }), { validation }), context));
    assert.equal(facts.get('Token endpoint'), 'https://auth.example.com');
    assert.equal(
      facts.get('Result'),
      'The server rejected Linear. Response to "initialize": 401 invalid_token. There\'s no refresh token.',
    );
    assert.match(facts.get('Secret') ?? '', /can be rotated, but not read/);
  });
});

const say = (validation: object) => describeValidation('Linear', { type: 'x', ...validation }, context.translate);

describe('features/resources/kinds/credentials credentialWords', () => {
  it('show the result, the failed step and the outcome of the refresh', () => {
    assert.equal(say({ status: 'valid', mcp_probe: null, refresh: null }), 'Linear is valid.');
    assert.equal(say({ status: 'valid', refresh: { status: 'succeeded' } }), 'Linear is valid. The token was refreshed.');
    assert.equal(
      say({ status: 'unknown', mcp_probe: { method: 'tools/list', http_response: null } }),
      'The service couldn\'t check Linear. No response to "tools/list".',
    );
    assert.match(
      say({ status: 'invalid', refresh: { status: 'failed', http_response: { status_code: 400, said: 'invalid_grant' } } }),
      /Refreshing the token failed \(400 invalid_grant\)\.$/,
    );
    assert.match(say({ status: 'invalid', refresh: { status: 'connect_error' } }), /couldn't be reached\.$/);
  });

  it('keep unknown words, on one line', () => {
    assert.equal(say({ status: 'odd\u202e' }), 'Message from the service about Linear: odd\\u{202e}.');
    assert.match(say({ status: 'valid', refresh: { status: 'later' } }), /Token refresh: later\.$/);
    assert.equal(say({}), 'Message from the service about Linear: ?.');
  });
});
