import assert from 'node:assert/strict';
import type { SessionView } from '../../../../../src/shared/session/sessionView';
import { readClock, secondsAt } from '../../../../../src/webview/session/header/sessionClock';

describe('webview/session/header/sessionClock', () => {
  it('runs while the session runs', () => {
    const clock = readClock(undefined, viewOf({ durationSeconds: 100, activeSeconds: 40 }), 5000, true);
    assert.deepEqual(secondsAt(clock, 8000), { elapsed: 103, active: 43 });
  });

  it('stops while the session is idle, and in an exported file', () => {
    const idle = readClock(undefined, viewOf({ state: 'idle', durationSeconds: 100, activeSeconds: 40 }), 0, true);
    assert.deepEqual(secondsAt(idle, 60_000), { elapsed: 100, active: 40 });
    const file = readClock(undefined, viewOf({ durationSeconds: 100 }), 0, false);
    assert.deepEqual(secondsAt(file, 60_000), { elapsed: 100, active: undefined });
  });

  it('uses the time between creation and the last event if there is no duration', () => {
    const clock = readClock(undefined, viewOf({ createdAt: 10_000, updatedAt: 22_000 }), 0, false);
    assert.deepEqual(secondsAt(clock, 0), { elapsed: 12, active: undefined });
  });

  it('keeps counting when a view with the same times arrives', () => {
    const first = readClock(undefined, viewOf({ durationSeconds: 100 }), 0, true);
    const second = readClock(first, viewOf({ durationSeconds: 100, title: 'New' }), 4000, true);
    assert.equal(secondsAt(second, 6000).elapsed, 106);
  });

  it('keeps its value when the session stops before new times arrive', () => {
    const running = readClock(undefined, viewOf({ durationSeconds: 100 }), 0, true);
    const idle = readClock(running, viewOf({ durationSeconds: 100, state: 'idle' }), 4000, true);
    assert.equal(secondsAt(idle, 60_000).elapsed, 104);
  });

  it("doesn't go back a little, but does go back a lot", () => {
    const first = readClock(undefined, viewOf({ durationSeconds: 100 }), 0, true);
    assert.equal(secondsAt(readClock(first, viewOf({ durationSeconds: 103 }), 4000, true), 4000).elapsed, 104);
    assert.equal(secondsAt(readClock(first, viewOf({ durationSeconds: 103 }), 60_000, true), 60_000).elapsed, 103);
  });

  it('follows a replay backwards', () => {
    const late = readClock(undefined, viewOf({ createdAt: 0, updatedAt: 4000 }), 0, false);
    const early = readClock(late, viewOf({ createdAt: 0, updatedAt: 2000 }), 10, false);
    assert.equal(secondsAt(early, 10).elapsed, 2);
  });
});

function viewOf(changes: Partial<SessionView>): SessionView {
  return {
    id: 's1',
    title: '',
    firstWords: '',
    state: 'running',
    status: 'running',
    agent: undefined,
    createdAt: undefined,
    updatedAt: undefined,
    activeSeconds: undefined,
    durationSeconds: undefined,
    tokens: { input: undefined, output: undefined, cacheRead: undefined, cacheWrite: undefined },
    threads: [],
    asks: [],
    outcomes: [],
    resources: [],
    canSend: true,
    ...changes,
  };
}
