import assert from 'node:assert/strict';
import type { Timers } from '../../../../../src/common/lists/poller';
import { createSessionView } from '../../../../../src/features/sessions/live/createSessionView';
import { PanelPump } from '../../../../../src/features/sessions/panel/panelPump';
import type { Row } from '../../../../../src/shared/session/rows/rows';
import type { ToWebview } from '../../../../../src/shared/session/sessionProtocol';
import type { SessionView } from '../../../../../src/shared/session/sessionView';
import { Transcript } from '../../../../../src/shared/session/transcript';

const view = (title: string): SessionView => createSessionView({ session: { id: 's', title } }, new Transcript().state());

const row = (n: number): Row => ({
  key: `k${n}`,
  kind: 'unknown',
  type: 'x',
  seq: n,
  at: undefined,
  summary: '',
  json: { type: 'json', text: '' },
});
const rows = (from: number, count: number) => Array.from({ length: count }, (_, index) => row(from + index));

function setUp() {
  const sent: ToWebview[] = [];
  const delays: number[] = [];
  let due: (() => void) | undefined;
  let held: (() => void)[] | undefined;
  const timers: Timers = {
    set: (callback, delay) => {
      delays.push(delay);
      due = callback;
      return callback;
    },
    clear: handle => {
      due = due === handle ? undefined : due;
    },
  };
  const threads = new Map<string, readonly Row[]>();
  const source = {
    ...{ view: view('now'), connection: { name: 'live' } as const, name: 'Lab', isReplay: false, canWrite: true },
    rows: (thread: string) => threads.get(thread),
  };
  const pump = new PanelPump({
    source,
    post: message => {
      sent.push(message);
      return new Promise<void>(resolve => (held === undefined ? resolve() : held.push(resolve)));
    },
    prices: () => ({ currency: 'USD', models: [] }),
    timers,
  });
  return {
    pump,
    sent,
    delays,
    threads,
    /** Lets pending work continue, and then fires the timer. */
    tick: async () => {
      await new Promise(resolve => setImmediate(resolve));
      const callback = due;
      due = undefined;
      callback?.();
      await new Promise(resolve => setImmediate(resolve));
    },
    hold: () => {
      held = [];
      return () => {
        const resolves = held ?? [];
        held = undefined;
        for (const resolve of resolves) {
          resolve();
        }
      };
    },
    isIdle: () => due === undefined,
    setHeader: (title: string) => {
      source.view = view(title);
      pump.header('view');
    },
  };
}

const shapes = (sent: readonly ToWebview[]) =>
  sent.map(message => [
    message.type,
    ...(message.type === 'amend' ? message.splices.map(({ at, remove, rows: added }) => `${at}-${remove}+${added.length}`) : []),
  ]);

describe('features/sessions/panel/panelPump', () => {
  it('sends nothing before it is resumed or while it is paused', async () => {
    const { pump, sent, tick, threads } = setUp();
    threads.set('', rows(0, 1));
    pump.show('');
    await tick();
    pump.resume();
    await tick();
    assert.deepEqual(sent, []);
    pump.show('');
    pump.header('view');
    pump.pause();
    pump.rowsChanged('');
    await tick();
    pump.resume();
    await tick();
    assert.deepEqual(shapes(sent), [['snapshot']]);
  });

  it('sends the first change at once and batches the following ones', async () => {
    const { pump, sent, tick, delays, setHeader, threads } = setUp();
    threads.set('', []);
    pump.resume();
    pump.show('');
    await tick();
    threads.set('', rows(0, 1));
    pump.rowsChanged('');
    assert.deepEqual(shapes(sent), [['snapshot'], ['amend', '0-0+1']]);
    for (let count = 2; count <= 40; count++) {
      threads.set('', rows(0, count));
      pump.rowsChanged('');
      setHeader(`b${count}`);
    }
    await tick();
    assert.deepEqual(shapes(sent).slice(2), [['amend', '1-0+39']]);
    assert.equal(sent[2]?.type === 'amend' && sent[2].view?.title, 'b40');
    pump.header('view');
    pump.header('connection');
    await tick();
    assert.deepEqual(delays, [16, 16, 50, 16]);
    assert.deepEqual(sent[3], { type: 'amend', thread: '', splices: [], connection: { name: 'live' }, source: 'Lab' });
  });

  it('waits for the webview to process a message before it sends the next', async () => {
    const { pump, sent, tick, hold, threads } = setUp();
    threads.set('', rows(0, 1));
    pump.resume();
    const release = hold();
    pump.show('');
    pump.rowsChanged('');
    await tick();
    assert.equal(sent.length, 1);
    release();
    await tick();
    assert.equal(sent.length, 2);
  });

  it('sends a snapshot when its turn comes, long ones in parts, then changes', async () => {
    const { pump, sent, tick, threads } = setUp();
    threads.set('', rows(0, 4500));
    pump.resume();
    pump.show('');
    threads.set('', rows(0, 4502));
    pump.rowsChanged('');
    for (let n = 0; n < 5; n++) {
      await tick();
    }
    assert.deepEqual(shapes(sent), [['snapshot'], ['amend', '0-0+2000'], ['amend', '2000-0+2000'], ['amend', '4000-0+502']]);
    assert.equal(sent[0]?.type === 'snapshot' && sent[0].expectedRows, 4500);
  });

  it("sends everything again for a redraw, but no thread that the page doesn't show", async () => {
    const { pump, sent, tick, threads, hold } = setUp();
    threads.set('', rows(0, 3));
    threads.set('other', rows(0, 3));
    pump.resume();
    const release = hold();
    pump.show('');
    pump.rowsChanged('other');
    pump.redraw();
    threads.set('', rows(0, 5));
    release();
    for (let n = 0; n < 4; n++) {
      await tick();
    }
    assert.deepEqual(shapes(sent), [['snapshot'], ['snapshot'], ['amend', '0-0+5']]);
  });

  it('serves threads in turn', async () => {
    const { pump, sent, tick, threads } = setUp();
    threads.set('', rows(0, 5000));
    threads.set('t', rows(0, 1));
    pump.resume();
    pump.show('');
    pump.show('t');
    pump.show('unknown');
    for (let n = 0; n < 6; n++) {
      await tick();
    }
    assert.deepEqual(
      sent.map(message => 'thread' in message && message.thread),
      ['', '', 't', '', 't', ''],
    );
  });

  it('sends messages that depend on rows after the rows', async () => {
    const { pump, sent, tick, threads } = setUp();
    threads.set('', rows(0, 2001));
    pump.resume();
    pump.show('');
    pump.afterRows('', { type: 'reveal', thread: '', key: 'k2000' });
    for (let n = 0; n < 4; n++) {
      await tick();
    }
    assert.deepEqual(
      sent.map(({ type }) => type),
      ['snapshot', 'amend', 'amend', 'reveal'],
    );
  });

  it('leaves no timer when it is paused', async () => {
    const { pump, sent, tick, isIdle, threads } = setUp();
    threads.set('', rows(0, 1));
    pump.resume();
    pump.show('');
    await new Promise(resolve => setImmediate(resolve));
    assert.equal(isIdle(), false);
    pump.pause();
    assert.equal(isIdle(), true);
    pump.rowsChanged('');
    await tick();
    assert.equal(sent.length, 1);
  });
});
