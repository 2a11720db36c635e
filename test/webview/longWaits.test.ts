import assert from 'node:assert/strict';
import { becomes, eventually } from './eventually';
import { longSession, longSessionThreads } from './longSession';
import { viewOf } from './panelFixtures';
import { PanelPage } from './panelPage';
import { pictureThemes, usePages } from './webviewPage';

describe('long waits in webview/session/pictures', () => {
  usePages();
  let panel: PanelPage;

  it('are collapsed into breaks with their length, so that the work is readable', async () => {
    await show();
    await becomes(() => marks().allTextContents(), ['2 h 3 min', '11 h 0 min']);
    // Position of minute 1 of 25 minutes of work, next to two breaks. Without folds, a minute would be one pixel wide.
    const box = await lanes().boundingBox();
    assert.ok(box !== null);
    const at = { x: Math.round(box.width * 0.03), y: 29 };
    await lanes().hover({ position: at });
    await becomes(() => panel.page.getByRole('tooltip').textContent(), 'model, 3 min 0 s');
  });

  it('show on hover what was waited for', async () => {
    await show();
    const mark = await marks().nth(1).boundingBox();
    assert.ok(mark !== null);
    await panel.page.mouse.move(mark.x + mark.width / 2, mark.y + 24 + 29);
    await becomes(() => panel.page.getByRole('tooltip').textContent(), '11 h 0 min, no activity');
  });

  it('stay collapsed while the picture is zoomed and moved', async () => {
    await show();
    const whole = await picture();
    await lanes().focus();
    await panel.page.keyboard.press('ArrowRight');
    await eventually(async () => {
      await panel.page.keyboard.press('+');
      assert.equal(await marks().count(), 0);
    });
    await changedFrom(whole);
    await panel.page.keyboard.press('ArrowRight');
    await becomes(() => marks().allTextContents(), ['2 h 3 min']);
    await panel.page.keyboard.press('0');
    await becomes(() => marks().count(), 2);
  });

  it('are in the table', async () => {
    await show();
    await panel.page.getByRole('button', { name: 'Show as Table' }).click();
    await becomes(
      () =>
        panel.page
          .getByRole('table', { name: 'Long waits' })
          .getByRole('row')
          .evaluateAll(rows => rows.map(row => [...row.querySelectorAll('th, td')].map(cell => cell.textContent))),
      [
        ['From', 'To', 'Length', 'Reason'],
        ['3:00', '2:06:00', '2 h 3 min', 'waiting for you'],
        ['2:10:00', '13:10:00', '11 h 0 min', 'no activity'],
      ],
    );
    await panel.screenshot('waits-table');
  });

  for (const theme of pictureThemes) {
    it(`have pictures in ${theme}, wide and narrow`, async () => {
      for (const width of [1440, 500]) {
        await show({ theme, width });
        await panel.screenshot(`waits-${width}-${theme}`);
        await becomes(() => panel.page.locator('.pictures').evaluate(element => element.scrollWidth - element.clientWidth), 0);
      }
    });
  }

  async function show(options: Parameters<typeof PanelPage.open>[0] = {}): Promise<void> {
    panel = await PanelPage.open({ kept: { memory: { pictures: 'yes' } }, ...options });
    await panel.show(longSession(), { view: viewOf({ threads: longSessionThreads }) });
    await lanes().waitFor();
  }

  function lanes() {
    return panel.page.getByRole('application');
  }

  function marks() {
    return panel.page.getByRole('list', { name: 'Long waits' }).getByRole('listitem');
  }

  async function picture(): Promise<string> {
    await panel.rendered();
    return await panel.page.locator('.lanes-plot').innerHTML();
  }

  async function changedFrom(before: string): Promise<void> {
    await eventually(async () => assert.notEqual(await picture(), before));
  }
});
