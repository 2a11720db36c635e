import assert from 'node:assert/strict';
import { hasSpoken, namelessControls, spokenTexts } from './inPanel.mjs';
import { everyRow, manyRows, messageRow, viewOf } from './panelFixtures';
import { PanelPage, type ThemeName } from './panelPage';

describe('webview/session/accessibility', function () {
  this.timeout(30_000);
  let panel: PanelPage;
  afterEach(() => panel.close());

  it('gives every control a name', async () => {
    panel = await PanelPage.open({ height: 1400 });
    await panel.show(everyRow(), {
      view: viewOf({ threads: [{ id: 't2', name: '', isPrimary: false, parent: undefined, status: 'x', waiting: 1, archived: false }] }),
    });
    const folded = panel.page.locator('.foldable[aria-expanded="false"]');
    while ((await folded.count()) > 0) {
      await folded.first().click();
      await panel.drawn();
    }
    assert.deepEqual(await panel.page.evaluate(namelessControls), []);
  });

  it('tells a screen reader the structure: feed, articles with their places, toolbar, search', async () => {
    panel = await PanelPage.open();
    await panel.show([messageRow(0, 'Hello', { kind: 'user' }), messageRow(1, 'Hello back')]);
    const tree = await panel.list.ariaSnapshot();
    assert.match(tree, /- feed "Timeline":/);
    assert.match(tree, /- article "Hello":/);
    assert.match(tree, /- article "Hello back":/);
    assert.match(tree, /- button "You" \[expanded\]/);
    assert.equal(await panel.page.getByRole('toolbar', { name: 'Timeline' }).count(), 1);
    assert.equal(await panel.page.getByRole('search').count(), 1);
  });

  for (const theme of ['dark', 'light', 'highContrast', 'highContrastLight'] satisfies ThemeName[]) {
    it(`shows where the keyboard is in ${theme}`, async () => {
      panel = await PanelPage.open({ theme });
      await panel.show(everyRow());
      assert.deepEqual(await panel.unseenFocus(40), []);
    });
  }

  it('says finished messages, errors and gaps as they come, never what is still being written, and nothing of the history', async () => {
    panel = await PanelPage.open();
    await panel.show(manyRows(20), { connection: { name: 'catchingUp', events: 20 } });
    await panel.page.evaluate(spokenTexts);
    await panel.post({ type: 'amend', thread: '', splices: [], connection: { name: 'live' } });
    const at = 20;
    await panel.post({
      type: 'amend',
      thread: '',
      splices: [{ at, remove: 0, rows: [messageRow(at, 'Wri', { key: 'p', preview: true })] }],
    });
    await panel.post({ type: 'previewText', thread: '', key: 'p', part: 0, text: 'ting' });
    await panel.post({ type: 'amend', thread: '', splices: [{ at, remove: 1, rows: [messageRow(at, 'Written', { key: 'p' })] }] });
    await panel.page.waitForFunction(hasSpoken, 'Agent: Written');
    await panel.post({
      ...{ type: 'amend', thread: '' },
      splices: [
        {
          at: 21,
          remove: 0,
          rows: everyRow()
            .filter(row => row.kind === 'error' || row.kind === 'gap')
            .map((row, index) => ({ ...row, key: `new${index}` })),
        },
      ],
    });
    await panel.page.waitForFunction(hasSpoken, 'Events may be missing');
    const spoken = ((await panel.page.evaluate('spoken')) as readonly string[]).join('\n');
    assert.match(spoken, /Error: The model is overloaded\./);
    assert.doesNotMatch(spoken, /Wri\b|Writing|Message \d/);
  });

  it('moves nothing by itself when motion is to be reduced', async () => {
    panel = await PanelPage.open();
    await panel.show(everyRow());
    assert.deepEqual(await panel.page.evaluate('document.getAnimations().length'), 0);
    await panel.close();
    panel = await PanelPage.open({ reducedMotion: false });
    await panel.show(everyRow());
    assert.notEqual(await panel.page.evaluate('document.getAnimations().length'), 0);
  });
});
