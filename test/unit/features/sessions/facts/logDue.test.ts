import assert from 'node:assert/strict';
import type { Session } from '../../../../../src/client/resources/sessions';
import { SessionFacts } from '../../../../../src/features/sessions/facts/sessionFacts';

const start = Date.parse('2026-11-21T12:00:00Z');
const reference = { connection: 'A', sessionId: 's' };
const asks = [{ eventId: 'e', kind: 'confirmation' }] as const;

describe('features/sessions/facts/sessionFacts, events to read', () => {
  let now: number;
  let facts: SessionFacts;
  const session = (change: Partial<Session> = {}): Session => ({
    id: 's',
    type: 'session',
    status: 'idle',
    updated_at: '2026-11-21T11:00:00Z',
    ...change,
  });
  const isDue = (change: Partial<Session> = {}) => facts.isDue(reference, session(change));
  const put = (change: Partial<Session> = {}) => facts.setLog(reference, session(change), { asks, firstWords: undefined });

  beforeEach(() => {
    now = start;
    facts = new SessionFacts(
      { now: () => now, monotonic: () => now },
      { panelSessions: () => [], pinned: () => [], ruleOf: () => undefined, isDismissed: () => false },
    );
  });

  it('reads an idle session once, and again when the list reports a change', () => {
    assert.equal(isDue(), true);
    put();
    now += 3_600_000;
    assert.equal(isDue(), false);
    assert.equal(isDue({ updated_at: '2026-11-21T12:30:00Z' }), true);
    assert.equal(isDue({ status: 'running' }), true);
    assert.equal(isDue({ usage: { output_tokens: 5 } }), true);
  });

  it('reads again after a change in the current second, which can hide another one', () => {
    const change = { updated_at: '2026-11-21T12:00:00Z' };
    put(change);
    assert.equal(isDue(change), false);
    now += 2_500;
    assert.equal(isDue(change), true);
    put(change);
    now += 60_000;
    assert.equal(isDue(change), false);
  });

  it('keeps reading while a session runs: a custom tool may start to wait', () => {
    put({ status: 'running' });
    assert.equal(isDue({ status: 'running' }), false);
    now += 10_000;
    assert.equal(isDue({ status: 'running' }), true);
  });

  it('never reads an archived session, and reads an ended one once', () => {
    assert.equal(isDue({ archived_at: '2026-11-21T11:00:00Z' }), false);
    assert.equal(isDue({ status: 'terminated' }), true);
    put({ status: 'terminated' });
    now += 3_600_000;
    assert.equal(isDue({ status: 'terminated' }), false);
  });

  it("keeps what it knows when events can't be read, and first words permanently", () => {
    facts.setLog(reference, session(), { asks, firstWords: 'Hello' });
    facts.failed(reference, session({ status: 'running' }));
    assert.deepEqual(facts.logOf(reference)?.asks, asks);
    assert.equal(isDue({ status: 'running' }), false);
    facts.setLog(reference, session(), { asks: [], firstWords: undefined });
    assert.deepEqual([facts.logOf(reference)?.asks, facts.logOf(reference)?.firstWords], [[], 'Hello']);
  });
});
