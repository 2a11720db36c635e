import assert from 'node:assert/strict';
import type { EventLog } from '../../../../../src/client/events/eventLog';
import { ThreadLog } from '../../../../../src/features/sessions/live/threadLog';
import { FakeTime, FakeWatch, settled } from '../panel/fakeService';
import { said } from '../panel/sessionUnderTest';

describe('features/sessions/live/threadLog', () => {
  it("ends its watch with the reason when its events can't be shown", async () => {
    const watches: FakeWatch[] = [];
    const log = new ThreadLog({
      thread: '',
      log: {} as EventLog,
      watch: (of, options) => {
        const watch = new FakeWatch(of, options);
        watches.push(watch);
        return watch;
      },
      timers: new FakeTime(),
      previews: () => undefined,
      onRows: () => {
        throw new Error('no room');
      },
      onText: () => undefined,
      onState: () => undefined,
      onEvents: () => undefined,
    });
    log.start();
    void watches[0]?.push({ type: 'events', events: said(1), live: true });
    await settled();
    assert.equal(watches[0]?.isAborted, true);
    assert.equal(log.isWatched, false);
    assert.deepEqual(log.state, { name: 'ended', reason: 'closed', error: new Error('no room') });
  });

  it('reports rows only if marking the session as ended changed them', () => {
    let reports = 0;
    const log = new ThreadLog({
      thread: '',
      log: {} as EventLog,
      watch: (of, options) => new FakeWatch(of, options),
      timers: new FakeTime(),
      previews: () => undefined,
      onRows: () => reports++,
      onText: () => undefined,
      onState: () => undefined,
      onEvents: () => undefined,
    });
    log.setClosed(false);
    assert.equal(reports, 0);
  });
});
