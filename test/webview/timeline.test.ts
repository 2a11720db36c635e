import assert from 'node:assert/strict';
import { everyRow, manyRows } from './panelFixtures';
import { PanelPage, stopBrowser } from './panelPage';

after(stopBrowser);

describe('webview/session/timeline', function () {
  this.timeout(30_000);
  let panel: PanelPage;
  afterEach(() => panel.close());

  it('shows a row of every kind', async () => {
    panel = await PanelPage.open();
    await panel.show(everyRow());
    await panel.screenshot('panel-dark');
    assert.deepEqual(panel.problems, []);
    assert.deepEqual(panel.requests, []);
  });

  it('draws few elements of 50,000 rows', async () => {
    panel = await PanelPage.open();
    await panel.show(manyRows(50_000));
    await panel.screenshot('panel-many');
    const count = await panel.page.locator('.timeline *').count();
    assert.ok(count > 50 && count <= 300, String(count));
  });
});
