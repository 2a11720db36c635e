import assert from 'node:assert/strict';
import { describeValidation } from '../../../../../src/features/resources/kinds/credentialWords';
import { context } from '../presenting';

const say = (validation: object) => describeValidation('Linear', { type: 'x', ...validation }, context.translate);

describe('features/resources/vaults/credentialWords', () => {
  it('says a verdict, the step that failed and what came of the renewal', () => {
    assert.equal(say({ status: 'valid', mcp_probe: null, refresh: null }), 'Linear is valid.');
    assert.equal(say({ status: 'valid', refresh: { status: 'succeeded' } }), 'Linear is valid. The token was renewed.');
    assert.equal(
      say({ status: 'unknown', mcp_probe: { method: 'tools/list', http_response: null } }),
      'The service couldn\'t check Linear. No response to "tools/list".',
    );
    assert.match(
      say({ status: 'invalid', refresh: { status: 'failed', http_response: { status_code: 400, said: 'invalid_grant' } } }),
      /Renewing the token failed \(400 invalid_grant\)\.$/,
    );
    assert.match(say({ status: 'invalid', refresh: { status: 'connect_error' } }), /couldn't be reached\.$/);
  });

  it('keeps words that are not known, on one line', () => {
    assert.equal(say({ status: 'odd\u202e' }), 'Message from the service about Linear: odd\\u{202e}.');
    assert.match(say({ status: 'valid', refresh: { status: 'later' } }), /Renewing the token: later\.$/);
    assert.equal(say({}), 'Message from the service about Linear: ?.');
  });
});
