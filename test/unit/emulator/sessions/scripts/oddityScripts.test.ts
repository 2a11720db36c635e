import assert from 'node:assert/strict';
import { stormEvents } from '../../../../../src/emulator/sessions/scripts/oddityScripts';

describe('emulator/sessions/scripts/oddityScripts', () => {
  it('creates exactly the requested number of events, each with a unique ID', () => {
    for (const count of [1, 2, 3, 4, 5, 99, 1000]) {
      const events = stormEvents(0, count);
      assert.equal(events.length, count);
      assert.equal(new Set(events.map(({ id }) => id)).size, count);
    }
  });

  it('ends every tool call with its result', () => {
    const events = stormEvents(40, 500);
    const results = new Set(events.map(({ tool_use_id }) => tool_use_id));
    const calls = events.filter(({ type }) => type === 'agent.tool_use');
    assert.ok(calls.length > 50);
    assert.ok(calls.every(({ id }) => results.has(id)));
  });
});
