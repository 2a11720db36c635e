import assert from 'node:assert/strict';
import { becomes, eventually } from './eventually';
import { namelessControls, spokenTexts, unfoldAll } from './inPanel.mjs';
import { everyRow, everything, manyRows, messageRow, viewOf } from './panelFixtures';
import { PanelPage } from './panelPage';
import { tagOf, themeNames, usePages } from './webviewPage';

describe('webview/session/accessibility', () => {
  usePages();
  let panel: PanelPage;

  it('gives every control a name', async () => {
    panel = await PanelPage.open({ height: 6000, kept: everything });
    await panel.show(everyRow(), {
      view: viewOf({ threads: [{ id: 't2', name: '', isPrimary: false, status: 'x', waiting: 1, archived: false }] }),
    });
    await eventually(async () => assert.equal(await panel.page.evaluate(unfoldAll), 0));
    await becomes(
      () => panel.places(),
      [...everyRow().keys()].map(index => index + 1),
    );
    await becomes(() => panel.page.evaluate(namelessControls), []);
  });

  it('exposes the structure to screen readers: feed, articles with positions, toolbar, search', async () => {
    panel = await PanelPage.open();
    await panel.show([messageRow(0, 'Hello', { kind: 'user' }), messageRow(1, 'Hello back')]);
    await eventually(async () => {
      const tree = await panel.list.ariaSnapshot();
      assert.match(tree, /- feed "Timeline":/);
      assert.match(tree, /- 'article "You: Hello"':/);
      assert.match(tree, /- 'article "Agent: Hello back"':/);
      assert.match(tree, /- button "You" \[expanded\]/);
    });
    await becomes(() => panel.page.getByRole('toolbar', { name: 'Timeline' }).count(), 1);
    await becomes(() => panel.page.getByRole('search').count(), 1);
  });

  for (const theme of themeNames) {
    it(`shows the focus in ${theme}${tagOf(theme)}`, async () => {
      panel = await PanelPage.open({ theme });
      await panel.show(everyRow());
      assert.deepEqual(await panel.unseenFocus(40), []);
    });
  }

  it('announces finished messages, errors and gaps, but no streaming text and no history', async () => {
    panel = await PanelPage.open({ isClockHeld: true });
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
    await panel.says('Agent: Written');
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
    await panel.says('Events may be missing');
    const spoken = await panel.spoken();
    assert.match(spoken, /Error: The model is overloaded\./);
    assert.doesNotMatch(spoken, /Wri\b|Writing|Message \d/);
  });

  it("doesn't animate with reduced motion", async () => {
    panel = await PanelPage.open({ motion: 'reduced' });
    await panel.show(everyRow());
    await becomes(() => panel.page.evaluate('document.getAnimations().length'), 0);
    panel = await PanelPage.open({ motion: 'full' });
    await panel.show(everyRow());
    await eventually(async () => assert.notEqual(await panel.page.evaluate('document.getAnimations().length'), 0));
  });
});
