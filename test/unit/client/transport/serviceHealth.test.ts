import assert from 'node:assert/strict';
import type { ServiceHealth } from '../../../../src/client/transport/errors';
import { canary, failureOf, instantClock, json, Loopback } from '../loopback';

describe('client/transport/serviceHealth', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  /** Returns the health of a service after each call, for responses with these statuses. */
  async function standings(...statuses: readonly number[]): Promise<readonly ServiceHealth[]> {
    const seen: ServiceHealth[] = [];
    const left = [...statuses];
    const origin = await loopback.http((_request, response) => {
      const status = left.shift() ?? 200;
      json(response, status === 200 ? { data: [] } : { type: 'error', error: { type: 'x', message: canary } }, status);
    });
    const client = loopback.client(origin, { clock: instantClock(), onHealth: standing => void seen.push(standing) });
    for (const status of statuses) {
      await (status === 200 ? client.models.list() : failureOf(client.models.list()));
    }
    return seen;
  }

  it('is responding after a response, even an error', async () => {
    assert.deepEqual(await standings(200, 404, 400, 403), ['answers', 'answers', 'answers', 'answers']);
  });

  it('is rejecting the key, until it accepts it', async () => {
    assert.deepEqual(await standings(401, 200), ['keyRefused', 'answers']);
  });

  it('is unreachable if nothing listens', async () => {
    const seen: ServiceHealth[] = [];
    const origin = await loopback.http(() => undefined);
    await loopback.closeAll();
    await failureOf(loopback.client(origin, { clock: instantClock(), onHealth: standing => void seen.push(standing) }).models.list());
    assert.deepEqual(seen, ['unreachable']);
  });

  it('ignores an aborted call', async () => {
    const seen: ServiceHealth[] = [];
    const origin = await loopback.http(() => undefined);
    const given = AbortSignal.abort();
    await failureOf(loopback.client(origin, { onHealth: standing => void seen.push(standing) }).models.list({ signal: given }));
    assert.deepEqual(seen, []);
  });
});
