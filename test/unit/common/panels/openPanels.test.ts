import assert from 'node:assert/strict';
import { OpenPanels } from '../../../../src/common/panels/openPanels';
import { FakePanel } from './fakePanel';

describe('common/panels/openPanels', () => {
  const open = new OpenPanels<{ readonly panel: import('vscode').WebviewPanel }>();
  const created: FakePanel[] = [];
  const create = (fake = new FakePanel()) => {
    created.push(fake);
    return { panel: fake.asPanel };
  };

  it('keeps one panel per key until it is closed', () => {
    const shown = open.show('a', create);
    assert.equal(open.show('a', create), shown);
    assert.deepEqual([created.length, created[0]?.reveals], [1, 1]);
    shown.panel.dispose();
    assert.deepEqual(open.all, []);
    assert.notEqual(open.show('a', create), shown);
  });

  it('closes a restored panel that is empty or already open', () => {
    for (const [key, isClosed] of [
      ['a', true],
      ['', true],
      ['b', false],
    ] as const) {
      const fake = new FakePanel();
      const restored = open.restore(key, fake.asPanel, () => create(fake));
      assert.deepEqual([fake.isDisposed, restored === undefined], [isClosed, isClosed], key);
    }
  });

  it('closes all panels', () => {
    open.dispose();
    assert.deepEqual(open.all, []);
    assert.ok(created.every(({ isDisposed }) => isDisposed));
  });
});
