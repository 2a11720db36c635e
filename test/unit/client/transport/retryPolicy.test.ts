import assert from 'node:assert/strict';
import { ServiceError, type ServiceErrorKind } from '../../../../src/client/transport/errors';
import { clientClock, RetryPolicy, readRetryAfter } from '../../../../src/client/transport/retryPolicy';
import { instantClock } from '../loopback';

describe('client/transport/retryPolicy', () => {
  const failure = (status: number | undefined, kind: ServiceErrorKind = 'api', retryAfter?: number) =>
    new ServiceError('', { kind, status, retryAfter, outcome: 'unknown', method: 'GET', host: '', path: '' });
  const policy = (random = 1) => new RetryPolicy(() => random);

  it('retries temporary statuses and lost connections, and nothing else', () => {
    for (const status of [408, 425, 429, 500, 502, 503, 504, 520, 529, 599]) {
      assert.equal(policy().waitAfter(failure(status), 1, 0), 500, `${status}`);
    }
    for (const status of [400, 401, 403, 404, 409, 413, 501, 505]) {
      assert.equal(policy().waitAfter(failure(status), 1, 0), undefined, `${status}`);
    }
    assert.equal(policy().waitAfter(failure(undefined, 'connection_lost'), 1, 0), 500);
    for (const kind of ['connection_refused', 'dns', 'tls', 'first_byte_timeout', 'not_json', 'aborted'] as const) {
      assert.equal(policy().waitAfter(failure(undefined, kind), 1, 0), undefined, kind);
    }
    assert.equal(policy().waitAfter(new Error('x'), 1, 0), undefined);
  });

  it('spreads delays over the whole range, which doubles', () => {
    assert.deepEqual(
      [policy(0).waitAfter(failure(500), 1, 0), policy(0.5).waitAfter(failure(500), 2, 0), policy().waitAfter(failure(500), 2, 0)],
      [0, 500, 1000],
    );
  });

  it('makes three attempts', () => {
    assert.equal(policy().waitAfter(failure(500), 3, 0), undefined);
  });

  it('respects Retry-After, and waits at most a minute, or two in total', () => {
    assert.equal(policy().waitAfter(failure(429, 'rate_limit', 60_000), 1, 0), 60_000);
    assert.equal(policy().waitAfter(failure(429, 'rate_limit', 60_001), 1, 0), undefined);
    assert.equal(policy().waitAfter(failure(429, 'rate_limit', 60_000), 2, 60_000), 60_000);
    assert.equal(policy().waitAfter(failure(429, 'rate_limit', 60_000), 2, 60_001), undefined);
    assert.equal(policy().waitAfter(failure(429, 'rate_limit', 10), 1, 0), 500);
  });

  it('has a budget of ten retries, and earns one per ten successful calls', () => {
    const shared = policy();
    const retries = () => {
      let count = 0;
      while (shared.waitAfter(failure(500), 1, 0) !== undefined) {
        count++;
      }
      return count;
    };
    assert.equal(retries(), 10);
    for (let call = 0; call < 11; call++) {
      shared.succeeded();
    }
    assert.equal(retries(), 1);
  });

  it("reads Retry-After in seconds, milliseconds and as a date, compared with the response's clock", () => {
    const clock = instantClock(Date.parse('Sat, 21 Nov 2026 12:00:00 GMT'));
    const date = 'Sat, 21 Nov 2026 12:00:30 GMT';
    assert.equal(readRetryAfter({ 'retry-after': '7' }, clock), 7000);
    assert.equal(readRetryAfter({ 'retry-after': '0.5' }, clock), 500);
    assert.equal(readRetryAfter({ 'retry-after-ms': '120', 'retry-after': '7' }, clock), 120);
    assert.equal(readRetryAfter({ 'retry-after': date }, clock), 30_000);
    assert.equal(readRetryAfter({ 'retry-after': date, date: 'Sat, 21 Nov 2026 12:00:10 GMT' }, instantClock(5)), 20_000);
    assert.equal(readRetryAfter({ 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' }, clock), 0);
    for (const text of ['', 'soon', '-5', undefined]) {
      assert.equal(readRetryAfter({ 'retry-after': text }, clock), undefined);
    }
  });

  it('ends a delay when it is aborted', async () => {
    const controller = new AbortController();
    const waiting = clientClock.sleep(60_000, controller.signal);
    controller.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    await assert.rejects(clientClock.sleep(60_000, controller.signal), { name: 'AbortError' });
    await clientClock.sleep(0, undefined);
  });
});
