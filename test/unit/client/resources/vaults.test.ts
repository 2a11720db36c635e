import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { json, Loopback } from '../loopback';
import { checkCalls } from './calls';

const canary = 'CANARY-vault-9f1c2e7a5b';

describe('client/resources/vaults', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  it('builds the calls of vaults', async () => {
    await checkCalls(loopback, [
      { call: ({ vaults }) => vaults.create({ display_name: 'n' }), request: 'POST /v1/vaults', body: { display_name: 'n' } },
      {
        call: ({ vaults }) => vaults.list({ limit: 3, includeArchived: true }),
        request: 'GET /v1/vaults?include_archived=true&limit=3',
        answer: { data: [] },
        result: { items: [], nextCursor: undefined, requestId: 'req_test' },
      },
      { call: ({ vaults }) => vaults.retrieve('v'), request: 'GET /v1/vaults/v' },
      { call: ({ vaults }) => vaults.update('v', { display_name: 'm' }), request: 'POST /v1/vaults/v', body: { display_name: 'm' } },
      { call: ({ vaults }) => vaults.archive('v'), request: 'POST /v1/vaults/v/archive' },
      { call: ({ vaults }) => vaults.delete('v'), request: 'DELETE /v1/vaults/v' },
    ]);
  });

  it('builds the calls of credentials, below their vault', async () => {
    const auth = { type: 'static_bearer', mcp_server_url: 'https://mcp.example.com', token: canary };
    await checkCalls(loopback, [
      {
        call: ({ vaults }) => vaults.credentials('v/1').create({ display_name: 'n', auth }),
        request: 'POST /v1/vaults/v%2F1/credentials',
        body: { display_name: 'n', auth },
      },
      {
        call: ({ vaults }) => vaults.credentials('v').list({ limit: 3 }),
        request: 'GET /v1/vaults/v/credentials?limit=3',
        answer: { data: [] },
      },
      { call: ({ vaults }) => vaults.credentials('v').retrieve('c'), request: 'GET /v1/vaults/v/credentials/c' },
      {
        call: ({ vaults }) => vaults.credentials('v').update('c', { auth: { type: 'static_bearer', token: canary } }),
        request: 'POST /v1/vaults/v/credentials/c',
        body: { auth: { type: 'static_bearer', token: canary } },
      },
      { call: ({ vaults }) => vaults.credentials('v').archive('c'), request: 'POST /v1/vaults/v/credentials/c/archive' },
      { call: ({ vaults }) => vaults.credentials('v').delete('c'), request: 'DELETE /v1/vaults/v/credentials/c' },
      {
        call: ({ vaults }) => vaults.credentials('v').validate('c/2'),
        request: 'POST /v1/vaults/v/credentials/c%2F2/mcp_oauth_validate',
        answer: { status: 'valid', later: 1 },
        result: { data: { type: 'vault_credential_validation', status: 'valid', later: 1 }, requestId: 'req_test' },
      },
    ]);
  });

  it('leaves out every secret that a service returned by mistake', async () => {
    const answer = {
      id: 'c',
      token: canary,
      metadata: { token: 'a label' },
      auth: {
        type: 'mcp_oauth',
        access_token: canary,
        refresh: { refresh_token: canary, client_id: 'id', token_endpoint_auth: { type: 'client_secret_basic', client_secret: canary } },
      },
      later: [{ secret_value: canary }],
    };
    const origin = await loopback.http((_, response) => json(response, answer));
    const { data } = await loopback.client(origin).vaults.credentials('v').retrieve('c');
    assert.ok(!JSON.stringify(data).includes(canary));
    // Metadata isn't redacted, because the user chooses its keys and values.
    assert.deepEqual(data.metadata, { token: 'a label' });
    assert.equal(data.auth?.refresh?.client_id, 'id');
  });

  it('keeps the error code of a validation, and nothing else of its response', async () => {
    const answered = (body: string) => ({ status_code: 401, content_type: 'application/json', body, body_truncated: false });
    const answer = {
      status: 'invalid',
      mcp_probe: { method: 'initialize', http_response: answered(JSON.stringify({ error: 'invalid_token', error_description: canary })) },
      refresh: { status: 'succeeded', http_response: answered(JSON.stringify({ access_token: canary })) },
    };
    const origin = await loopback.http((_, response) => json(response, answer));
    const { data } = await loopback.client(origin).vaults.credentials('v').validate('c');
    assert.ok(!JSON.stringify(data).includes(canary));
    assert.equal(data.mcp_probe?.http_response?.said, 'invalid_token');
    assert.equal(data.refresh?.http_response?.said, undefined);
  });

  it('quotes no secret in an error, even if the service repeats it', async () => {
    const said = `auth.token: ${canary} is not a token, nor is ${Buffer.from(canary).toString('base64')}`;
    const origin = await loopback.http((_, response) =>
      json(response, { type: 'error', error: { type: 'invalid_request_error', message: said } }, 400),
    );
    const { credentials } = loopback.client(origin).vaults;
    const refresh = { refresh_token: canary, token_endpoint_auth: { client_secret: canary } };
    for (const work of [
      () => credentials('v').create({ auth: { token: canary } }),
      () => credentials('v').create({ auth: { access_token: 'other', refresh } }),
      () => credentials('v').update('c', { auth: { secret_value: canary } }),
    ]) {
      const error = await work().then(
        () => assert.fail('it did not fail'),
        (reason: unknown) => reason,
      );
      assert.match(String(error), /auth\.token: \[secret\]/);
      assert.ok(!inspect(error, { depth: 10, showHidden: true }).includes(canary.slice(0, 12)));
    }
  });
});
