import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../../src/client/events/eventLog';
import { directionOf, heedsOrder } from '../../../../src/client/events/historyOrder';

describe('client/events/historyOrder', () => {
  const reversed = (events: readonly SessionEvent[]) => [...events].reverse();

  it('decides by the references, numbers and times of events', () => {
    const rows: readonly (readonly SessionEvent[])[] = [
      [
        { type: 'agent.tool_use', id: 'a' },
        { type: 'x', id: 'b' },
        { type: 'agent.tool_result', id: 'c', tool_use_id: 'a' },
      ],
      [
        { type: 'x', seq: 9 },
        { type: 'x', seq: 10 },
      ],
      [
        { type: 'x', created_at: '2026-11-21T09:00:00Z' },
        { type: 'x', created_at: '2026-11-21T09:00:00Z' },
        { type: 'x', created_at: '2026-11-21T09:00:01Z' },
      ],
      // A queued event was processed after later ones.
      [
        { type: 'x', processed_at: '2026-11-21T09:00:01Z' },
        { type: 'x', processed_at: null },
        { type: 'user.message', processed_at: '2026-11-21T09:00:09Z' },
        { type: 'x', processed_at: '2026-11-21T09:00:02Z' },
        { type: 'x', processed_at: '2026-11-21T09:00:03Z' },
      ],
      [
        { type: 'x', ts: 1 },
        { type: 'x', ts: 2 },
      ],
    ];
    for (const events of rows) {
      assert.equal(directionOf(events), 'oldestFirst', JSON.stringify(events));
      assert.equal(directionOf(reversed(events)), 'newestFirst', JSON.stringify(events));
    }
    assert.equal(directionOf([{ type: 'x' }, { type: 'y' }]), undefined);
    assert.equal(directionOf([]), undefined);
  });

  it('trusts the positions of known events more than their content', () => {
    const events = [
      { type: 'x', id: '1', created_at: '2026-11-21T09:00:05Z' },
      { type: 'x', id: '2', created_at: '2026-11-21T09:00:01Z' },
    ];
    assert.equal(
      directionOf(events, ({ id }) => Number(id)),
      'oldestFirst',
    );
    assert.equal(directionOf(events), 'newestFirst');
  });

  it('detects whether an order is respected, also while events are written', () => {
    const log: SessionEvent[] = Array.from({ length: 6 }, (_, index) => ({
      type: 'x',
      id: `e${index}`,
      created_at: `2026-11-21T09:00:0${index}Z`,
    }));
    assert.equal(heedsOrder(log, reversed(log)), true);
    assert.equal(heedsOrder(log, log), false);
    assert.equal(heedsOrder(log.slice(0, 2), reversed(log).slice(0, 2)), true);
    assert.equal(heedsOrder(reversed(log.slice(0, 5)), reversed(log)), false);
    assert.equal(heedsOrder(reversed(log.slice(0, 3)).slice(0, 2), reversed(log).slice(0, 2)), false);
  });
});
