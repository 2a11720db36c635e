import assert from 'node:assert/strict';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { verifyDelivery } from '../../../src/features/resources/webhooks/verifyDelivery';
import { call, SessionOnEmulator } from '../../helpers/emulatorClient';
import { WebhookEndpoint } from '../../helpers/webhookEndpoint';
import { context } from '../../unit/features/resources/presenting';

const webhooks = '/v1/webhooks?beta=true';
const longestWait = 120_000;

describe('emulator/webhooks', () => {
  let emulator: Emulator;
  let place: WebhookEndpoint;
  let url: string;

  beforeEach(async () => {
    emulator = await startEmulator({ scenario: { sessionPause: 0 } });
    place = new WebhookEndpoint();
    url = await place.open();
  });
  afterEach(async () => {
    await emulator.stop();
    await place.close();
  });

  const ask = (method: string, path: string, body?: object) =>
    call(emulator, method, path, body, { 'vendor-beta': 'managed-agents-2026-04-01, webhooks-2026-03-01' });
  const at = (id: string, below = '') => `/v1/webhooks/${id}${below}?beta=true`;
  const make = async (...events: string[]) => (await ask('POST', webhooks, { url, name: 'Mine', enabled_events: events })).json;
  const makeVault = async () => (await ask('POST', '/v1/vaults?beta=true', { display_name: 'Keys' })).json.id;
  const attempts = async () => (await call(emulator, 'GET', '/_emulator/webhooks')).json.attempts;
  const verify = ({ headers, body }: WebhookEndpoint['taken'][number], ...secrets: string[]) =>
    verifyDelivery(
      { headers: headers as Record<string, string>, body: Buffer.from(body) },
      secrets,
      Number(headers['webhook-timestamp']) * 1000,
      context.translate,
    );

  it('creates, changes, lists and deletes endpoints, and shows a secret only once', async () => {
    const { signing_secret: secret, ...made } = await make('vault.created');
    assert.match(secret, /^whsec_[\w+/]{43}=$/);
    assert.deepEqual((await ask('GET', at(made.id))).json, made);
    assert.deepEqual((await ask('GET', webhooks)).json.data, [made]);
    const disabled = (await ask('POST', at(made.id), { status: 'disabled', name: 'Other' })).json;
    assert.deepEqual([disabled.status, disabled.disabled_reason, disabled.name], ['disabled', 'manual', 'Other']);
    const enabled = (await ask('POST', at(made.id), { status: 'enabled' })).json;
    assert.deepEqual([enabled.status, enabled.disabled_reason], ['enabled', null]);
    const refused = async (body: object, words: RegExp) => {
      const { status, json } = await ask('POST', webhooks, { url, name: 'x', enabled_events: ['vault.created'], ...body });
      assert.equal(status, 400);
      assert.match(json.error.message, words);
    };
    await refused({ url: 'http://example.com/hook' }, /must use https/);
    await refused({ url: 'no address' }, /^url: must be a valid URL/);
    await refused({ enabled_events: [] }, /^enabled_events/);
    await refused({ enabled_events: ['moon.rises'] }, /^enabled_events\.0/);
    assert.deepEqual((await ask('DELETE', at(made.id))).json, { id: made.id, type: 'webhook_deleted' });
    assert.equal((await ask('GET', at(made.id))).status, 404);
  });

  it('delivers events of sessions, vaults and credentials, signed by the standard', async () => {
    const { signing_secret: secret } = await make(
      ...['session.status_run_started', 'session.status_idled', 'session.requires_action', 'session.deleted'],
      ...['vault.created', 'vault_credential.created'],
    );
    const vault = await makeVault();
    await ask('POST', `/v1/vaults/${vault}/credentials?beta=true`, {
      auth: { type: 'static_bearer', mcp_server_url: 'https://mcp.example.com', token: 'CANARY-hook-11' },
    });
    const session = await SessionOnEmulator.start(emulator, 'Careful Operator');
    await session.say('bash ls');
    await emulator.advanceClock(0);
    const deliveries = place.taken.map(({ body }) => JSON.parse(body));
    assert.deepEqual(deliveries.map(({ data }) => data.type).sort(), [
      'session.requires_action',
      'session.status_idled',
      'session.status_run_started',
      'vault.created',
      'vault_credential.created',
    ]);
    const ofCredential = deliveries.find(({ data }) => data.type === 'vault_credential.created');
    assert.equal(ofCredential.data.vault_id, vault);
    assert.ok(deliveries.filter(({ data }) => data.type.startsWith('session.')).every(({ data }) => data.id === session.id));
    for (const delivery of place.taken) {
      assert.deepEqual(verify(delivery, secret), { isValid: true, findings: [] });
      assert.equal(delivery.headers['webhook-id'], JSON.parse(delivery.body).id);
      assert.ok(delivery.body.includes('": "') && !delivery.body.includes('CANARY'));
    }
  });

  it('delivers events of deployments and their runs', async () => {
    await make('deployment.created', 'deployment.updated', 'deployment.paused', 'deployment.unpaused', 'deployment.archived');
    await make('deployment_run.started', 'deployment_run.succeeded', 'deployment_run.failed');
    const [agent] = (await ask('GET', '/v1/agents?beta=true&limit=1')).json.data;
    const [environment] = (await ask('GET', '/v1/environments?beta=true&limit=1')).json.data;
    const initial = [{ type: 'user.message', content: [{ type: 'text', text: 'Say hello' }] }];
    const body = { name: 'Nightly', agent: agent.id, environment_id: environment.id, initial_events: initial };
    const { id } = (await ask('POST', '/v1/deployments?beta=true', body)).json;
    const change = async (below: string, with_?: object) => (await ask('POST', `/v1/deployments/${id}${below}?beta=true`, with_)).json;
    await change('', { name: 'Daily' });
    await change('/pause');
    await change('/pause');
    await change('/unpause');
    const run = await change('/run');
    await ask('POST', `/v1/environments/${environment.id}/archive?beta=true`);
    const failed = await change('/run');
    await change('/archive');
    await change('/archive');
    await emulator.advanceClock(0);
    const deliveries = place.taken.map(({ body: text }) => JSON.parse(text).data);
    const ofRuns = deliveries.filter(({ type }) => type.startsWith('deployment_run.'));
    assert.deepEqual(
      deliveries
        .filter(one => !ofRuns.includes(one))
        .map(({ type, id: of }) => [type, of])
        .sort(),
      ['archived', 'created', 'paused', 'unpaused', 'updated'].map(what => [`deployment.${what}`, id]),
    );
    const started = [run.id, failed.id].map(of => ['deployment_run.started', of]);
    assert.deepEqual(
      ofRuns.map(({ type, id: of }) => [type, of]).sort(),
      [...started, ['deployment_run.succeeded', run.id], ['deployment_run.failed', failed.id]].sort(),
    );
  });

  it('tries three times with the same ID and body, then gives up', async () => {
    await make('vault.created');
    place.status = 500;
    await makeVault();
    await emulator.advanceClock(0);
    assert.equal(place.taken.length, 1);
    await emulator.advanceClock(3 * longestWait);
    const [first, second, third, ...more] = place.taken;
    assert.deepEqual([first?.body === second?.body, second?.body === third?.body, more.length], [true, true, 0]);
    assert.equal(new Set(place.taken.map(({ headers }) => headers['webhook-timestamp'])).size, 3);
    assert.deepEqual(
      (await attempts()).map(({ attempt, status }: { attempt: number; status: number }) => [attempt, status]),
      [
        [1, 500],
        [2, 500],
        [3, 500],
      ],
    );
  });

  it('disables an endpoint at once if it redirects, and later if it keeps failing', async () => {
    const { id } = await make('vault.created');
    place.status = 302;
    await makeVault();
    await emulator.advanceClock(0);
    const redirected = (await ask('GET', at(id))).json;
    assert.deepEqual([redirected.status, redirected.disabled_reason, place.taken.length], ['disabled', 'redirect', 1]);
    await makeVault();
    await emulator.advanceClock(longestWait);
    assert.equal(place.taken.length, 1, 'what happens while it is disabled is lost');
    await ask('POST', at(id), { status: 'enabled' });
    place.status = 500;
    for (let n = 0; n < 10; n++) {
      await makeVault();
    }
    await emulator.advanceClock(3 * longestWait);
    assert.equal((await ask('GET', at(id))).json.disabled_reason, 'sustained_failure');
  });

  it('counts deliveries that fail at the same moment', async () => {
    const { random } = Math;
    // All attempts are retried after the same delay.
    Math.random = () => 0;
    try {
      const { id } = await make('vault.created');
      place.status = 500;
      await Promise.all(Array.from({ length: 10 }, makeVault));
      await emulator.advanceClock(3 * longestWait);
      assert.equal((await ask('GET', at(id))).json.disabled_reason, 'sustained_failure');
    } finally {
      Math.random = random;
    }
  });

  it('signs with both secrets for a day after one was regenerated', async () => {
    const { id, signing_secret: old } = await make('vault.created');
    const { signing_secret: fresh } = (await ask('POST', at(id, '/regenerate_signing_secret'), {})).json;
    await makeVault();
    await emulator.advanceClock(0);
    const [both] = place.taken as [WebhookEndpoint['taken'][number]];
    for (const secret of [old, fresh]) {
      const { isValid, findings } = verify(both, secret);
      assert.equal(isValid, true);
      assert.match(findings.join(), /^One of 2 signatures matches/);
    }
    await emulator.advanceClock(24 * 60 * 60 * 1000 + 1);
    await makeVault();
    await emulator.advanceClock(0);
    const last = place.taken.at(-1);
    assert.ok(last !== undefined);
    assert.deepEqual([verify(last, old).isValid, verify(last, fresh).isValid], [false, true]);
  });
});
