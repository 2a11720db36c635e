import assert from 'node:assert/strict';
import type { ServiceHealth } from '../../../../src/client/transport/serviceHealth';
import { canary, failureOf, instantClock, json, Loopback } from '../loopback';

describe('client/transport/serviceHealth', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  /** Returns the standing of a service after each of several calls with these statuses. */
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

  it('answers when it answers, and when it says no', async () => {
    assert.deepEqual(await standings(200, 404, 400, 403), ['answers', 'answers', 'answers', 'answers']);
  });

  it('refuses the key, until it takes it', async () => {
    assert.deepEqual(await standings(401, 200), ['keyRefused', 'answers']);
  });

  it('is not reached where nobody listens', async () => {
    const seen: ServiceHealth[] = [];
    const origin = await loopback.http(() => undefined);
    await loopback.closeAll();
    await failureOf(loopback.client(origin, { clock: instantClock(), onHealth: standing => void seen.push(standing) }).models.list());
    assert.deepEqual(seen, ['unreachable']);
  });

  it('shows nothing by a call that was given up', async () => {
    const seen: ServiceHealth[] = [];
    const origin = await loopback.http(() => undefined);
    const given = AbortSignal.abort();
    await failureOf(loopback.client(origin, { onHealth: standing => void seen.push(standing) }).models.list({ signal: given }));
    assert.deepEqual(seen, []);
  });
});
