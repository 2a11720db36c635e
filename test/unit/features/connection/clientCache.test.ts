import assert from 'node:assert/strict';
import type { Credential, ServiceClientOptions } from '../../../../src/client/clientOptions';
import type { ServiceClient } from '../../../../src/client/serviceClient';
import { ServiceError } from '../../../../src/client/transport/errors';
import { ClientCache } from '../../../../src/features/connection/clientCache';
import type { Connection } from '../../../../src/features/connection/connection';
import { defaultLimits } from '../../../../src/features/connection/connectionSettings';

const team: Connection = {
  name: 'Team',
  baseUrl: 'https://a.example',
  auth: 'bearer',
  dialect: 'anthropic-2023',
  extraBetas: ['x'],
  limits: defaultLimits,
  allowInsecureHttp: false,
  isEmulator: false,
};

function createCache() {
  const stood: string[] = [];
  const made: { options: ServiceClientOptions; ended: string[] }[] = [];
  const world = { credential: { key: 'sk-1', origin: 'https://a.example' } as Credential | undefined, failures: 0 };
  const cache = new ClientCache({
    create: async options => {
      if (world.failures-- > 0) {
        throw new Error('not now');
      }
      const ended: string[] = [];
      made.push({ options, ended });
      return {
        retire: async () => void ended.push('retired'),
        close: async () => void ended.push('closed'),
      } as unknown as ServiceClient;
    },
    network: async () => ({ strictTls: true }),
    credential: async () => world.credential,
    describeMissingKey: ({ name }) => `no key for ${name}`,
    onHealth: ({ name }, standing) => void stood.push(`${name} ${standing}`),
    shared: { userAgent: 'test' },
  });
  return { cache, made, stood, world };
}

describe('features/connection/clientCache', () => {
  it('creates one client per connection, with all its settings', async () => {
    const { cache, made } = createCache();
    const [one, other] = await Promise.all([cache.client(team), cache.client({ ...team })]);
    assert.equal(one, other);
    assert.equal(made.length, 1);
    const options = made[0]?.options;
    assert.equal(options?.baseUrl, 'https://a.example');
    assert.equal(options?.auth, 'bearer');
    assert.equal(options?.dialect.name, 'anthropic-2023');
    assert.deepEqual(options?.extraBetas, ['x']);
    assert.equal(options?.userProfileId, undefined);
    await cache.client({ ...team, userProfileId: 'profile_1' });
    assert.equal(made[1]?.options.userProfileId, 'profile_1');
    assert.deepEqual(options?.network, { strictTls: true });
    assert.equal(options?.userAgent, 'test');
  });

  it('reads the key at every call, so that a changed key is used immediately', async () => {
    const { cache, made, world } = createCache();
    await cache.client(team);
    world.credential = { key: 'sk-2', origin: 'https://a.example' };
    assert.deepEqual(await made[0]?.options.credential(), world.credential);
  });

  it('reports the health of a service while its client is in use', async () => {
    const { cache, made, stood } = createCache();
    await cache.client(team);
    made[0]?.options.onHealth?.('unreachable');
    cache.clear();
    made[0]?.options.onHealth?.('answers');
    await cache.client(team);
    made[1]?.options.onHealth?.('keyRefused');
    assert.deepEqual(stood, ['Team unreachable', 'Team keyRefused']);
  });

  it('reports a missing key before anything is created', async () => {
    const { cache, made, world } = createCache();
    world.credential = undefined;
    await assert.rejects(cache.client(team), (error: unknown) => {
      assert.ok(error instanceof ServiceError);
      assert.equal(error.kind, 'no_credential');
      assert.equal(error.outcome, 'not_sent');
      assert.equal(error.message, 'no key for Team');
      return true;
    });
    assert.equal(made.length, 0);
  });

  it('releases the client of a changed connection without aborting its calls, and closes all on dispose', async () => {
    const { cache, made } = createCache();
    const changed = { ...team, baseUrl: 'https://b.example' };
    await cache.client(team);
    cache.keepOnly([changed]);
    await cache.client(changed);
    cache.keepOnly([changed]);
    assert.deepEqual(
      made.map(({ ended }) => ended),
      [['retired'], []],
    );
    cache.dispose();
    await new Promise(setImmediate);
    assert.deepEqual(
      made.map(({ ended }) => ended),
      [['retired', 'closed'], ['closed']],
    );
  });

  it("retries after a client couldn't be created", async () => {
    const { cache, made, world } = createCache();
    world.failures = 1;
    await assert.rejects(cache.client(team), /not now/);
    await cache.client(team);
    assert.equal(made.length, 1);
  });

  it('closes a client that was still being created on dispose', async () => {
    const { cache, made } = createCache();
    const making = cache.client(team);
    cache.dispose();
    await making;
    await new Promise(setImmediate);
    assert.ok(made[0]?.ended.includes('closed'));
  });
});
