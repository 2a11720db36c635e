import assert from 'node:assert/strict';
import { becomes, eventually } from './eventually';
import { everyRow, manyRows, messageRow, toolRow } from './panelFixtures';
import { PanelPage } from './panelPage';
import { usePages } from './webviewPage';

describe('webview/session/timeline/keys', () => {
  usePages();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await PanelPage.open();
  });

  async function press(...keys: readonly string[]): Promise<string> {
    for (const key of keys) {
      await panel.page.keyboard.press(key);
      await panel.rendered();
    }
    return await panel.focused();
  }

  /** Presses a key, and waits until the element with this name has the focus. */
  async function goesTo(name: RegExp | string, key: string): Promise<void> {
    await press(key);
    await eventually(async () => {
      const focused = await panel.focused();
      assert.ok(typeof name === 'string' ? focused === name : name.test(focused), focused);
    });
  }

  /** Presses Tab until the list has the focus. */
  async function tabToList(): Promise<void> {
    for (let presses = 0; presses < 60; presses++) {
      await panel.page.keyboard.press('Tab');
      if (await panel.page.locator('article:focus').count()) {
        return;
      }
    }
    assert.fail('Tab never reached the list');
  }

  it('has one row in the tab order, and moves by arrow keys, pages, and to both ends', async () => {
    await panel.show(manyRows(500));
    await tabToList();
    await becomes(() => panel.page.locator('article[tabindex="0"]').count(), 1);
    await becomes(() => panel.page.locator('article:focus').getAttribute('aria-posinset'), '500');
    const placeNow = async (): Promise<number> => Number(await panel.page.locator('article:focus').getAttribute('aria-posinset'));
    const place = async (expected: number, ...keys: readonly string[]): Promise<void> => {
      await press(...keys);
      await becomes(placeNow, expected);
    };
    await place(498, 'ArrowUp', 'ArrowUp');
    await place(499, 'j');
    await place(497, 'k', 'k');
    await press('PageUp');
    await eventually(async () => {
      const page = await placeNow();
      assert.ok(page < 490 && page > 470, String(page));
    });
    await place(1, 'Home');
    await place(1, 'ArrowUp');
    await press('PageDown');
    await eventually(async () => assert.ok((await placeNow()) > 10));
    await place(500, 'End');
    // The focused element is always visible.
    await eventually(async () => assert.ok(await panel.page.locator('article:focus').isVisible()));
  });

  it('keeps the focus on its row while others arrive and the end is followed', async () => {
    await panel.show(manyRows(100));
    await tabToList();
    const name = await press('End');
    for (let round = 0; round < 5; round++) {
      await panel.post({ type: 'amend', thread: '', splices: [{ at: 100 + round * 40, remove: 0, rows: manyRows(40, 100 + round * 40) }] });
      await panel.rendered();
    }
    await becomes(() => panel.focused(), name);
    await panel.row('Message 295').waitFor();
    await press('ArrowDown');
    await becomes(() => panel.page.locator('article:focus').getAttribute('aria-posinset'), '101');
  });

  it('expands and collapses', async () => {
    await panel.show([toolRow(0)]);
    await tabToList();
    const isOpen = async (expected: string, key: string): Promise<void> => {
      await press(key);
      await becomes(() => panel.page.locator('.rowHead').getAttribute('aria-expanded'), expected);
    };
    await isOpen('true', 'Enter');
    await isOpen('false', 'Space');
    await isOpen('true', 'ArrowRight');
    await isOpen('true', 'ArrowRight');
    await isOpen('false', 'ArrowLeft');
  });

  it('goes to the next message, error and ask, wrapping around', async () => {
    await panel.show(everyRow());
    await tabToList();
    await press('Home');
    await goesTo(/What I found/, 'm');
    await goesTo(/issues/, 'e');
    await goesTo(/overloaded/, 'e');
    await goesTo(/git push/, 'w');
    await goesTo(/pick_colour/, 'w');
    await goesTo(/git push/, 'w');
  });

  it('copies a row and opens it as JSON', async () => {
    await panel.show([messageRow(0, 'Some **bold** words')]);
    await tabToList();
    await press('c', 'o');
    await becomes(() => panel.posted('copyText'), [{ type: 'copyText', text: 'Some **bold** words' }]);
    await becomes(() => panel.posted('openRaw'), [{ type: 'openRaw', thread: '', key: 'sevt_0' }]);
    await becomes(() => panel.page.locator('strong').innerText(), 'bold');
  });

  it('lists its keys, and returns the focus', async () => {
    await panel.show(manyRows(5));
    await tabToList();
    await press('?');
    await panel.page.getByRole('dialog', { name: 'Keyboard Shortcuts' }).waitFor();
    await panel.screenshot('panel-keys');
    await press('Escape');
    await becomes(() => panel.page.getByRole('dialog').count(), 0);
    await becomes(() => panel.page.locator('article:focus').count(), 1);
  });

  it('goes to the search and back, and ignores keys with modifiers', async () => {
    await panel.show(manyRows(50));
    await tabToList();
    const name = await panel.focused();
    await goesTo('Search the timeline', '/');
    await goesTo(name, 'Escape');
    await goesTo('Search the timeline', 'Control+f');
    await press('Escape');
    await goesTo(name, 'Control+j');
    await goesTo(name, 'Alt+ArrowUp');
  });
});
