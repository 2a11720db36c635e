import assert from 'node:assert/strict';
import type { ToWebview } from '../../../../src/shared/session/sessionProtocol';
import type { SessionView } from '../../../../src/shared/session/sessionView';
import { partId } from '../../../../src/webview/controls/panelContext';
import { PanelStore } from '../../../../src/webview/session/panelStore';
import { message } from './rows';

const view: SessionView = {
  ...{ id: 's1', title: 'T', firstWords: '', state: 'idle', status: 'idle', agent: undefined, createdAt: undefined, updatedAt: undefined },
  ...{ activeSeconds: undefined, durationSeconds: undefined, threads: [], asks: [], outcomes: [], resources: [], canSend: true },
  tokens: { input: undefined, output: undefined, cacheRead: undefined, cacheWrite: undefined },
};

function snapshot(thread = ''): ToWebview {
  return {
    ...{ type: 'snapshot', thread, view, connection: { name: 'live' }, expectedRows: 2 },
    ...{ source: 'Emulator', isReplay: false, canWrite: true },
  };
}

function storeWithTasks(): { store: PanelStore; run: () => void } {
  const tasks: (() => void)[] = [];
  const store = new PanelStore(task => tasks.push(task));
  return { store, run: () => tasks.splice(0).forEach(task => void task()) };
}

describe('webview/session/panelStore', () => {
  it('applies splices at once and notifies once for many messages', () => {
    const { store, run } = storeWithTasks();
    let told = 0;
    store.onDidChange(() => told++);
    store.receive(snapshot());
    store.receive({ type: 'amend', thread: '', splices: [{ at: 0, remove: 0, rows: [message(0)] }] });
    store.receive({ type: 'amend', thread: '', splices: [{ at: 1, remove: 0, rows: [message(1)] }], view: { ...view, title: 'U' } });
    assert.equal(store.thread('')?.rows.length, 2);
    assert.equal(told, 0);
    run();
    assert.equal(told, 1);
    assert.equal(store.session?.view.title, 'U');
    assert.equal(store.session?.source, 'Emulator');
    store.receive({ type: 'amend', thread: '', splices: [], connection: { name: 'live' }, source: 'Emulator elsewhere' });
    assert.deepEqual([store.session?.view.title, store.session?.source], ['U', 'Emulator elsewhere']);
  });

  it('renders less often while rows arrive faster than anyone can read', () => {
    const storms: boolean[] = [];
    const tasks: (() => void)[] = [];
    const store = new PanelStore((task, isStorm) => {
      storms.push(isStorm);
      tasks.push(task);
    });
    const come = (count: number): void => {
      store.receive({
        type: 'amend',
        thread: '',
        splices: [{ at: 0, remove: 0, rows: Array.from({ length: count }, (_, seq) => message(seq)) }],
      });
      tasks.pop()?.();
    };
    store.receive(snapshot());
    tasks.pop()?.();
    for (const count of [200, 200, 3, 200, 200]) {
      come(count);
    }
    assert.deepEqual(storms, [false, false, true, false, false, true]);
  });

  it('drops the loaded arguments of an ask that changed', () => {
    const { store } = storeWithTasks();
    const ask = (eventId: string, text: string): SessionView['asks'][number] => ({
      ...{ eventId, kind: 'confirmation', rowKey: '', tool: 'bash', at: undefined, input: { type: 'json', text, cut: 9000 } },
    });
    const amend = (...asks: ReturnType<typeof ask>[]): void =>
      store.receive({ type: 'amend', thread: '', splices: [], view: { ...view, asks } });
    store.receive(snapshot());
    amend(ask('a', '{"x'), ask('b', '{"y'));
    for (const key of ['a', 'b']) {
      store.receive({ type: 'part', thread: '', key, path: 'ask', text: '{}' });
    }
    amend(ask('a', '{"x'), ask('b', '{"y'));
    assert.deepEqual([...store.loadedParts.keys()], [partId('', 'a', 'ask'), partId('', 'b', 'ask')]);
    amend(ask('a', '{"z'), ask('b', '{"y'));
    assert.deepEqual([...store.loadedParts.keys()], [partId('', 'b', 'ask')]);
  });

  it("keeps threads apart, and replaces a thread's rows with its next snapshot", () => {
    const { store } = storeWithTasks();
    store.receive(snapshot());
    store.receive(snapshot('t2'));
    store.receive({ type: 'amend', thread: 't2', splices: [{ at: 0, remove: 0, rows: [message(0)] }] });
    assert.deepEqual([store.thread('')?.rows.length, store.thread('t2')?.rows.length], [0, 1]);
    store.receive(snapshot('t2'));
    assert.equal(store.thread('t2')?.rows.length, 0);
  });

  it('appends previewed text to its part, but not to a finished message', () => {
    const { store } = storeWithTasks();
    store.receive(snapshot());
    store.receive({
      ...{ type: 'amend', thread: '' },
      splices: [{ at: 0, remove: 0, rows: [message(0, 'Hel', { preview: true }), message(1, 'done')] }],
    });
    store.receive({ type: 'previewText', thread: '', key: 'k0', part: 0, text: 'lo' });
    store.receive({ type: 'previewText', thread: '', key: 'k0', part: 1, text: 'More' });
    store.receive({ type: 'previewText', thread: '', key: 'k1', part: 0, text: 'x' });
    store.receive({ type: 'previewText', thread: '', key: 'nobody', part: 0, text: 'x' });
    const rows = store.thread('')?.rows.all.map(row => ('parts' in row ? row.parts.map(part => ('text' in part ? part.text : '')) : []));
    assert.deepEqual(rows, [['Hello', 'More'], ['done']]);
  });

  it('creates new maps when parts or results of sends arrive', () => {
    const { store } = storeWithTasks();
    const { loadedParts, sendResults } = store;
    store.receive({ type: 'part', thread: 't', key: 'k', path: 'input', text: 'whole' });
    store.receive({ type: 'sendResult', clientId: 'c', ok: false, problem: 'no' });
    assert.notEqual(store.loadedParts, loadedParts);
    assert.notEqual(store.sendResults, sendResults);
    assert.deepEqual(store.loadedParts.get(partId('t', 'k', 'input')), { text: 'whole' });
    assert.deepEqual(store.sendResults.get('c'), { ok: false, problem: 'no' });
  });
});
