import assert from 'node:assert/strict';
import type { Sessions } from '../../../../../src/client/resources/sessions';
import { SessionReader } from '../../../../../src/features/sessions/live/sessionReader';

describe('features/sessions/live/sessionReader', () => {
  /** Creates a reader with its own clock. Returns the reader and the times at which it read the session. */
  function reader() {
    let now = 1000;
    const timers = new Map<object, { readonly callback: () => void; readonly due: number }>();
    const asked: number[] = [];
    const retrieve = async () => {
      asked.push(now);
      return { data: { id: 'sesn_1' } };
    };
    const made = new SessionReader({
      sessionId: 'sesn_1',
      service: async () => ({ sessions: { retrieve } as unknown as Sessions, vaults: { retrieve: async () => assert.fail() } }),
      timers: {
        set: (callback, delay) => {
          const handle = {};
          timers.set(handle, { callback, due: now + delay });
          return handle;
        },
        clear: handle => timers.delete(handle as object),
      },
      now: () => now,
      isShown: () => true,
      onRead: () => undefined,
    });
    const pass = async (milliseconds: number) => {
      now += milliseconds;
      for (const [handle, { callback, due }] of timers) {
        if (due <= now) {
          timers.delete(handle);
          callback();
        }
      }
      // Waits until all calls have their responses.
      await new Promise(resolve => setImmediate(resolve));
    };
    return { made, asked, pass };
  }

  it("reads soon, and isn't delayed by repeated events", async () => {
    const { made, asked, pass } = reader();
    for (let count = 0; count < 50; count++) {
      made.readSoon();
      await pass(100);
    }
    assert.deepEqual(asked, [1300, 3300, 5300]);
    made.dispose();
  });

  it('reads once more after an event just before a read', async () => {
    const { made, asked, pass } = reader();
    made.readSoon();
    await pass(200);
    made.readSoon();
    await pass(100);
    await pass(1999);
    await pass(1);
    await pass(9999);
    assert.deepEqual(asked, [1300, 3300]);
    made.dispose();
  });

  it('reads earlier on request', async () => {
    const { made, asked, pass } = reader();
    made.readSoon();
    await pass(300);
    await pass(5000);
    made.readSoon();
    await pass(300);
    assert.deepEqual(asked, [1300, 6600]);
    made.dispose();
  });
});
