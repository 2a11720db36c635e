import { becomes } from './eventually';
import { spokenTexts } from './inPanel.mjs';
import { manyRows, messageRow, viewOf } from './panelFixtures';
import { PanelPage, snapshotOf } from './panelPage';
import { usePages } from './webviewPage';

describe('webview/session/beginning', () => {
  usePages();

  it('shows header and history that arrive at once when it is ready', async () => {
    const panel = await PanelPage.open({}, snapshotOf(manyRows(3)));
    await panel.page.locator('.header-title', { hasText: 'Tidy up the release notes' }).waitFor();
    await panel.row('Message 0').waitFor();
  });

  it('goes to the row or ask that the host names at that moment', async () => {
    const ask = {
      eventId: 'e1',
      kind: 'confirmation',
      rowKey: 'sevt_0',
      tool: 'bash',
      input: { type: 'json', text: '{}' },
      at: 0,
    } as const;
    const panel = await PanelPage.open({}, [
      ...snapshotOf(manyRows(500), { view: viewOf({ asks: [ask, { ...ask, eventId: 'e2', tool: 'write' }] }) }),
      { type: 'reveal', thread: '', key: 'sevt_100' },
      { type: 'focus', target: 'ask', eventId: 'e2' },
    ]);
    await panel.page.locator('article.isMarked', { hasText: 'Message 100' }).waitFor();
    await panel.page.getByRole('heading', { name: 'Allow write to run this?' }).waitFor();
  });

  it('takes the focus if the host asks at that moment', async () => {
    const panel = await PanelPage.open({}, [...snapshotOf([]), { type: 'focus', target: 'composer' }]);
    await panel.page.locator('.composer textarea:focus').waitFor();
  });

  it("announces nothing of a live session's history, and everything after it", async () => {
    const panel = await PanelPage.open({ isClockHeld: true });
    const [snapshot, history] = snapshotOf(manyRows(30));
    if (snapshot === undefined || history === undefined) {
      throw new Error('unreachable: both are there');
    }
    await panel.post(snapshot);
    await panel.rendered();
    await panel.page.evaluate(spokenTexts);
    await panel.post(history);
    await panel.row('Message 25').waitFor();
    await panel.post({ type: 'amend', thread: '', splices: [{ at: 30, remove: 0, rows: [messageRow(30, 'The news')] }] });
    await panel.says('Agent: The news');
    await becomes(() => panel.spoken(), 'Agent: The news');
  });
});
