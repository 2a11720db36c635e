import assert from 'node:assert/strict';
import type { Session } from '../../../../../../src/client/schemas/sessions';
import { SessionLooks } from '../../../../../../src/features/sessions/list/known/sessionLooks';

const start = Date.parse('2026-11-21T12:00:00Z');
const asks = [{ eventId: 'e', kind: 'confirmation' }] as const;

describe('features/sessions/list/known/sessionLooks', () => {
  let now: number;
  let looks: SessionLooks;
  const session = (change: Partial<Session> = {}): Session => ({
    id: 's',
    type: 'session',
    status: 'idle',
    updated_at: '2026-11-21T11:00:00Z',
    ...change,
  });
  const isDue = (change: Partial<Session> = {}) => looks.isDue('k', session(change));
  const put = (change: Partial<Session> = {}) => looks.put('k', session(change), { asks, firstWords: undefined });

  beforeEach(() => {
    now = start;
    looks = new SessionLooks({ now: () => now, monotonic: () => now });
  });

  it('is due once for a session that rests, and again when the list says that something changed', () => {
    assert.equal(isDue(), true);
    put();
    now += 3_600_000;
    assert.equal(isDue(), false);
    assert.equal(isDue({ updated_at: '2026-11-21T12:30:00Z' }), true);
    assert.equal(isDue({ status: 'running' }), true);
    assert.equal(isDue({ usage: { output_tokens: 5 } }), true);
  });

  it('is due once more after a change of this very second, which can hide another', () => {
    const change = { updated_at: '2026-11-21T12:00:00Z' };
    put(change);
    assert.equal(isDue(change), false);
    now += 2_500;
    assert.equal(isDue(change), true);
    put(change);
    now += 60_000;
    assert.equal(isDue(change), false);
  });

  it('is due again and again while a session runs: a custom tool may start to wait', () => {
    put({ status: 'running' });
    assert.equal(isDue({ status: 'running' }), false);
    now += 10_000;
    assert.equal(isDue({ status: 'running' }), true);
  });

  it('is never due for one that is archived, and once for one that is over', () => {
    assert.equal(isDue({ archived_at: '2026-11-21T11:00:00Z' }), false);
    assert.equal(isDue({ status: 'terminated' }), true);
    put({ status: 'terminated' });
    now += 3_600_000;
    assert.equal(isDue({ status: 'terminated' }), false);
  });

  it('keeps what is known when events cannot be read, and first words for good', () => {
    looks.put('k', session(), { asks, firstWords: 'Hello' });
    looks.failed('k', session({ status: 'running' }));
    assert.deepEqual(looks.get('k')?.asks, asks);
    assert.equal(isDue({ status: 'running' }), false);
    looks.put('k', session(), { asks: [], firstWords: undefined });
    assert.deepEqual([looks.get('k')?.asks, looks.get('k')?.firstWords], [[], 'Hello']);
  });
});
