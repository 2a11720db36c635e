import assert from 'node:assert/strict';
import { everyRow, manyRows, messageRow, toolRow } from './panelFixtures';
import { PanelPage } from './panelPage';

describe('webview/session/timeline/keys', function () {
  this.timeout(30_000);
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await PanelPage.open();
  });
  afterEach(() => panel.close());

  async function press(...keys: readonly string[]): Promise<string> {
    for (const key of keys) {
      await panel.page.keyboard.press(key);
      await panel.drawn();
    }
    return await panel.focused();
  }

  /** Goes by Tab from where the keyboard is to the list. */
  async function tabToList(): Promise<void> {
    for (let presses = 0; presses < 60; presses++) {
      await panel.page.keyboard.press('Tab');
      if (await panel.page.locator('article:focus').count()) {
        return;
      }
    }
    assert.fail('Tab never reached the list');
  }

  it('has one row in the order of Tab, and moves by arrows, pages, and to both ends', async () => {
    await panel.show(manyRows(500));
    await tabToList();
    assert.equal(await panel.page.locator('article[tabindex="0"]').count(), 1);
    assert.equal(await panel.page.locator('article:focus').getAttribute('aria-posinset'), '500');
    const place = async (...keys: readonly string[]): Promise<number> => {
      await press(...keys);
      return Number(await panel.page.locator('article:focus').getAttribute('aria-posinset'));
    };
    assert.equal(await place('ArrowUp', 'ArrowUp'), 498);
    assert.equal(await place('j'), 499);
    assert.equal(await place('k', 'k'), 497);
    const page = await place('PageUp');
    assert.ok(page < 490 && page > 470, String(page));
    assert.equal(await place('Home'), 1);
    assert.equal(await place('ArrowUp'), 1);
    assert.ok((await place('PageDown')) > 10);
    assert.equal(await place('End'), 500);
    // What has the keyboard is always in view.
    assert.ok(await panel.page.locator('article:focus').isVisible());
  });

  it('keeps the keyboard on its row while others come and the end is followed', async () => {
    await panel.show(manyRows(100));
    await tabToList();
    const name = await press('End');
    for (let round = 0; round < 5; round++) {
      await panel.post({ type: 'amend', thread: '', splices: [{ at: 100 + round * 40, remove: 0, rows: manyRows(40, 100 + round * 40) }] });
      await panel.drawn();
    }
    assert.equal(await panel.focused(), name);
    await panel.row('Message 295').waitFor();
    await press('ArrowDown');
    assert.equal(await panel.page.locator('article:focus').getAttribute('aria-posinset'), '101');
  });

  it('folds and unfolds', async () => {
    await panel.show([toolRow(0)]);
    await tabToList();
    const isOpen = async (key: string): Promise<string | null> => {
      await press(key);
      return await panel.page.locator('.rowHead').getAttribute('aria-expanded');
    };
    assert.equal(await isOpen('Enter'), 'true');
    assert.equal(await isOpen('Space'), 'false');
    assert.equal(await isOpen('ArrowRight'), 'true');
    assert.equal(await isOpen('ArrowRight'), 'true');
    assert.equal(await isOpen('ArrowLeft'), 'false');
  });

  it('goes to the next message, error and what waits, and around the end', async () => {
    await panel.show(everyRow());
    await tabToList();
    await press('Home');
    assert.match(await press('m'), /What I found/);
    assert.match(await press('e'), /issues/);
    assert.match(await press('e'), /Overloaded/);
    assert.match(await press('w'), /git push/);
    assert.match(await press('w'), /pick_colour/);
    assert.match(await press('w'), /git push/);
  });

  it('shows a row raw, copies it and opens it as JSON', async () => {
    await panel.show([messageRow(0, 'Some **bold** words')]);
    await tabToList();
    await press('r');
    await panel.page.getByText('Some **bold** words').waitFor();
    await press('c', 'o');
    assert.deepEqual(await panel.posted('copyText'), [{ type: 'copyText', text: 'Some **bold** words' }]);
    assert.deepEqual(await panel.posted('openRaw'), [{ type: 'openRaw', thread: '', key: 'sevt_0' }]);
    await press('r');
    assert.equal(await panel.page.locator('strong').innerText(), 'bold');
  });

  it('tells its keys, and gives the keyboard back', async () => {
    await panel.show(manyRows(5));
    await tabToList();
    await press('?');
    await panel.page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await panel.screenshot('panel-keys');
    await press('Escape');
    assert.equal(await panel.page.getByRole('dialog').count(), 0);
    assert.equal(await panel.page.locator('article:focus').count(), 1);
  });

  it('goes to the search and back, and leaves keys with modifiers to VS Code', async () => {
    await panel.show(manyRows(50));
    await tabToList();
    const name = await panel.focused();
    assert.equal(await press('/'), 'Search the timeline');
    assert.equal(await press('Escape'), name);
    assert.equal(await press('Control+f'), 'Search the timeline');
    await press('Escape');
    assert.equal(await press('Control+j'), name);
    assert.equal(await press('Alt+ArrowUp'), name);
  });
});
