import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { probeService } from '../../../src/client/probe';
import { canary, json, Loopback } from './loopback';

describe('client/probe', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  interface Rules {
    readonly auth: readonly ('x-api-key' | 'bearer')[];
    /** Returns an error message for a request with a valid key, or `undefined` to accept the request. */
    readonly refuse?: (path: string, request: IncomingMessage) => string | undefined;
    readonly missing?: readonly string[];
    readonly model?: string;
    /** Items of collections, by path. */
    readonly items?: Readonly<Record<string, readonly object[]>>;
  }

  /** Starts a service with rules. The test fails if a request has two keys. */
  async function service(rules: Rules) {
    const requests: string[] = [];
    const origin = await loopback.http((request, response) => {
      const { headers } = request;
      const path = new URL(request.url ?? '', 'http://x').pathname;
      requests.push(`${request.method} ${path}`);
      assert.equal([headers['x-api-key'], headers.authorization].filter(Boolean).length, 1);
      const fail = (status: number, type: string, message: string) => json(response, { type: 'error', error: { type, message } }, status);
      const right =
        (headers['x-api-key'] === canary && rules.auth.includes('x-api-key')) ||
        (headers.authorization === `Bearer ${canary}` && rules.auth.includes('bearer'));
      const refusal = rules.refuse?.(path, request);
      if (!right) {
        fail(401, 'authentication_error', 'Invalid API key');
      } else if (rules.missing?.includes(path)) {
        fail(404, 'not_found_error', 'Not found');
      } else if (refusal !== undefined) {
        fail(400, 'invalid_request_error', refusal);
      } else {
        json(response, {
          data: path === '/v1/models' ? [{ id: rules.model ?? 'some-model' }] : (rules.items?.[path] ?? []),
          has_more: false,
        });
      }
    });
    return { origin, requests };
  }

  /** Requires `beta=true` except for models, and a beta header for batches with `beta=true`. The recorded server has these rules. */
  const era2023 = (prefix: string) => (path: string, request: IncomingMessage) => {
    const beta = new URL(request.url ?? '', 'http://x').searchParams.get('beta');
    if (path === '/v1/messages/batches') {
      return beta === 'true' && !String(request.headers[`${prefix}-beta`]).includes('message-batches') ? 'needs beta' : undefined;
    }
    return path !== '/v1/models' && beta !== 'true' ? 'API requires beta=true' : undefined;
  };
  const era2026 = (path: string, request: IncomingMessage) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x');
    if (searchParams.has('beta') || request.headers['anthropic-version'] === undefined) {
      return 'unknown';
    }
    return path === '/v1/agents' && request.headers['anthropic-beta'] === undefined ? 'needs beta' : undefined;
  };

  const services: readonly (readonly [name: string, rules: Rules, auth: string, dialect: string])[] = [
    ['a service as the contract has it', { auth: ['x-api-key', 'bearer'], refuse: era2023('vendor') }, 'x-api-key', 'contract'],
    ['a service with the names of the era', { auth: ['x-api-key', 'bearer'], refuse: era2023('anthropic') }, 'x-api-key', 'anthropic-2023'],
    ['a service of the newer era', { auth: ['bearer'], refuse: era2026 }, 'bearer', 'anthropic-2026'],
    ['one that takes everything', { auth: ['x-api-key', 'bearer'] }, 'x-api-key', 'anthropic-2023'],
    ['one that lists a model of our templates', { auth: ['x-api-key'], model: 'vendor-sonnet-5' }, 'x-api-key', 'contract'],
    ['one that takes everything and has models of the vendor', { auth: ['x-api-key'], model: 'claude-x' }, 'x-api-key', 'anthropic-2023'],
    [
      'one that takes everything, as Bearer only, with models of the vendor',
      { auth: ['bearer'], model: 'claude-x' },
      'bearer',
      'anthropic-2026',
    ],
  ];
  for (const [name, rules, auth, dialect] of services) {
    it(`detects how to call ${name}`, async () => {
      const { origin } = await service(rules);
      const result = await probeService({ baseUrl: origin, key: canary });
      assert.deepEqual([result.auth, result.dialect, result.failure], [auth, dialect, undefined]);
      assert.equal(result.groups.size, 11);
      assert.ok([...result.groups.values()].every(state => state === 'served'));
    });
  }

  const noModels = { auth: ['x-api-key', 'bearer'], missing: ['/v1/models', '/v1/messages/batches'] } as const;
  const foreign: readonly (readonly [name: string, rules: Rules, dialect: string, isDialectCertain: boolean])[] = [
    ['agents', { ...noModels, items: { '/v1/agents': [{ id: 'a', model: { id: 'claude-x' } }] } }, 'anthropic-2023', true],
    [
      'the skills of agents',
      { ...noModels, items: { '/v1/agents': [{ id: 'a', skills: [{ type: 'anthropic' }] }] } },
      'anthropic-2023',
      true,
    ],
    ['agents of the neutral names', { ...noModels, items: { '/v1/agents': [{ id: 'a', model: 'vendor-x' }] } }, 'contract', true],
    [
      'sessions',
      { ...noModels, items: { '/v1/sessions': [{ id: 's', resources: [{ type: 'github_repository' }] }] } },
      'anthropic-2023',
      true,
    ],
    [
      'the agents of sessions',
      { ...noModels, items: { '/v1/sessions': [{ id: 's', agent: { id: 'a', model: 'claude-x' } }] } },
      'anthropic-2023',
      true,
    ],
    [
      'errors',
      {
        ...noModels,
        missing: ['/v1/models'],
        refuse: path => (path === '/v1/messages/batches' ? 'anthropic-beta: not enabled' : undefined),
      },
      'anthropic-2023',
      true,
    ],
    ['nothing', noModels, 'anthropic-2023', false],
    [
      'no agent of our own template',
      { ...noModels, items: { '/v1/agents': [{ id: 'a', model: { id: 'vendor-sonnet-5' } }] } },
      'anthropic-2023',
      false,
    ],
    [
      'no session of such an agent',
      { ...noModels, items: { '/v1/sessions': [{ id: 's', agent: { id: 'a', model: { id: 'vendor-sonnet-5' } } }] } },
      'anthropic-2023',
      false,
    ],
  ];
  for (const [name, rules, dialect, isDialectCertain] of foreign) {
    it(`detects the names of a service without models from ${name}`, async () => {
      const { origin } = await service(rules);
      const result = await probeService({ baseUrl: origin, key: canary });
      assert.deepEqual([result.auth, result.dialect, result.isDialectCertain], ['x-api-key', dialect, isDialectCertain]);
      assert.deepEqual([result.groups.get('models'), result.groups.get('sessions')], ['missing', 'served']);
    });
  }

  it('keeps the settings of a service if nothing contradicts them', async () => {
    const { origin } = await service(noModels);
    const preferred = { auth: 'bearer', dialect: 'anthropic-2026' } as const;
    const silent = await probeService({ baseUrl: origin, key: canary, preferred });
    assert.deepEqual([silent.auth, silent.dialect, silent.isDialectCertain], ['bearer', 'anthropic-2026', false]);
    const neutral = await service({ ...noModels, items: { '/v1/agents': [{ id: 'a', model: 'vendor-x' }] } });
    const told = await probeService({ baseUrl: neutral.origin, key: canary, preferred });
    assert.deepEqual([told.auth, told.dialect, told.isDialectCertain], ['bearer', 'contract', true]);
  });

  it('reports a group as missing only for a 404 of its collection', async () => {
    const refuse = (path: string) => (path === '/v1/skills' ? 'not today' : undefined);
    const { origin, requests } = await service({ auth: ['x-api-key'], missing: ['/v1/vaults', '/v1/agents'], refuse });
    const { groups } = await probeService({ baseUrl: origin, key: canary });
    assert.deepEqual(
      [groups.get('vaults'), groups.get('agents'), groups.get('skills'), groups.get('batches')],
      ['missing', 'missing', 'refused', 'served'],
    );
    assert.ok(requests.every(line => line.startsWith('GET ')));
  });

  it("returns the service's own error when the key is wrong, and stops", async () => {
    const { origin, requests } = await service({ auth: ['x-api-key', 'bearer'] });
    const result = await probeService({ baseUrl: origin, key: 'wrong-key-1' });
    assert.deepEqual([result.auth, result.failure?.kind, result.failure?.serviceMessage], [undefined, 'authentication', 'Invalid API key']);
    assert.equal(requests.length, 6);
  });

  it('distinguishes a missing service, another one, and a redirect', async () => {
    const html = await loopback.http((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
    const notFound = await loopback.http((_, response) => response.writeHead(404).end('404 page not found'));
    const keys: unknown[] = [];
    const other = await loopback.http((request, response) => {
      keys.push(request.headers['x-api-key']);
      response.end();
    });
    const redirect = await loopback.http((request, response) => response.writeHead(302, { location: `${other}${request.url}` }).end());
    const gone = `http://127.0.0.1:${await loopback.closedPort()}`;
    const kinds: unknown[] = [];
    for (const baseUrl of [html, notFound, redirect, gone, 'http://192.0.2.1']) {
      kinds.push((await probeService({ baseUrl, key: canary })).failure?.kind);
    }
    assert.deepEqual(kinds, ['not_json', 'not_found', 'redirect', 'connection_refused', 'insecure_http']);
    assert.deepEqual(keys, []);
    await assert.rejects(probeService({ baseUrl: 'no address', key: canary }), { kind: 'invalid_request' });
  });

  it('stops when it is aborted', async () => {
    const controller = new AbortController();
    const origin = await loopback.http(() => controller.abort());
    await assert.rejects(probeService({ baseUrl: origin, key: canary, signal: controller.signal }), { kind: 'aborted' });
  });
});
