import assert from 'node:assert/strict';
import { becomes, eventually } from './eventually';
import { everyRow, manyRows, messageRow, toolRow, viewOf } from './panelFixtures';
import { PanelPage } from './panelPage';
import { usePages } from './webviewPage';

describe('webview/session/toolbar', () => {
  usePages();
  let panel: PanelPage;

  it('counts matches, marks them, and steps through them, wrapping around', async () => {
    panel = await PanelPage.open();
    await panel.show([
      ...manyRows(20_000),
      toolRow(20_000, { result: { parts: [{ type: 'text', text: 'a Needle.(x)' }], isError: false, seq: 1, at: undefined } }),
    ]);
    const search = panel.page.getByRole('textbox', { name: 'Search the timeline' });
    await search.fill('message 199');
    await panel.page.getByText('Matches: 22').waitFor();
    await search.press('Enter');
    await panel.page.getByText(/^\d+ of 22$/).waitFor();
    await eventually(async () => assert.ok(((await panel.page.evaluate('CSS.highlights.get("search").size')) as number) > 0));
    await search.fill('needle.(X)');
    await panel.page.getByText('Matches: 1', { exact: true }).waitFor();
    await panel.page.getByRole('button', { name: 'Next Match' }).click();
    await panel.page.getByText('1 of 1').waitFor();
    // A match in a collapsed row expands it.
    await panel.page.getByText('a Needle.(x)').waitFor();
    await search.fill('Message 55: ');
    await panel.page.getByText('Matches: 1', { exact: true }).waitFor();
    await panel.page.getByRole('button', { name: 'Previous Match' }).click();
    await panel.row('Message 55:').waitFor();
    await search.fill('nobody says this');
    await panel.page.getByText('No matches').waitFor();
    await search.press('Escape');
    await becomes(() => search.inputValue(), '');
    await becomes(() => panel.page.evaluate('CSS.highlights.has("search")'), false);
  });

  it('expands rows with matches, and collapses them again', async () => {
    panel = await PanelPage.open();
    const lines = (words: string) => Array.from({ length: 40 }, (_, number) => (number === 30 ? words : `line ${number}`)).join('\n');
    const change = { file_path: 'a.txt', old_string: lines('old words'), new_string: lines('Needle of a change') };
    await panel.show([
      toolRow(0, { result: { parts: [{ type: 'text', text: lines('Needle of a result') }], isError: false, seq: 1, at: undefined } }),
      toolRow(1, { name: 'edit', input: { type: 'json', text: JSON.stringify(change, null, 2) } }),
      messageRow(2, `${'word '.repeat(20_000)}Needle of many words${' word'.repeat(20_000)}`),
    ]);
    const search = panel.page.getByRole('textbox', { name: 'Search the timeline' });
    for (const words of ['Needle of a result', 'Needle of a change', 'Needle of many words']) {
      await search.fill(words);
      await panel.page.getByText('Matches: 1', { exact: true }).waitFor();
      await panel.page.getByRole('button', { name: 'Next Match' }).click();
      await panel.row(words).waitFor();
    }
    await search.fill('line 5');
    await panel.page.getByText('Matches: 2', { exact: true }).waitFor();
    await panel.page.getByRole('button', { name: 'Next Match' }).click();
    await panel.row('line 5').first().waitFor();
    await becomes(() => panel.row(/Needle of a (?:result|change)/).count(), 0);
  });

  it("counts new matching rows, and the host's matches in cut text", async () => {
    panel = await PanelPage.open();
    await panel.show([
      messageRow(0, 'near'),
      toolRow(1, { result: { parts: [{ type: 'text', text: 'short', cut: 90_000 }], isError: false, seq: 1, at: undefined } }),
    ]);
    await panel.page.getByRole('textbox', { name: 'Search the timeline' }).fill('near');
    await panel.page.getByText('Matches: 1', { exact: true }).waitFor();
    await becomes(() => panel.posted('search'), [{ type: 'search', thread: '', query: 'near' }]);
    await panel.post({ type: 'searchHits', thread: '', query: 'near', keys: ['sevt_1'] });
    await panel.page.getByText('Matches: 2').waitFor();
    await panel.post({ type: 'searchHits', thread: '', query: 'older', keys: ['sevt_0'] });
    await panel.page.getByText('Matches: 1', { exact: true }).waitFor();
    await panel.post({ type: 'amend', thread: '', splices: [{ at: 2, remove: 0, rows: [messageRow(2, 'nearer')] }] });
    await panel.page.getByText('Matches: 2').waitFor();
  });

  it('jumps to the next error and ask, even if hidden', async () => {
    panel = await PanelPage.open();
    await panel.show([...everyRow(), ...manyRows(200, 100)]);
    const choose = async (name: string): Promise<void> => {
      await panel.page.getByRole('button', { name: 'More' }).click();
      await panel.page.getByRole('menuitem', { name }).click();
    };
    await choose('Next Error');
    await panel.row('tracker / issues').waitFor();
    await panel.page.getByRole('combobox', { name: 'Show' }).selectOption('Errors only (5)');
    await choose('Next Approval');
    await panel.page.locator('article:focus').waitFor();
    await eventually(async () => assert.match(await panel.focused(), /git push/));
    await choose('Jump to Latest');
    await panel.row('Message 295').waitFor();
  });

  it('has a menu for the keyboard, with unavailable entries disabled', async () => {
    panel = await PanelPage.open();
    await panel.show(manyRows(10));
    const more = panel.page.getByRole('button', { name: 'More' });
    await more.focus();
    await panel.page.keyboard.press('Enter');
    await becomes(() => panel.focused(), 'Jump to Latest');
    await becomes(() => panel.page.getByRole('menuitem', { disabled: true }).allInnerTexts(), ['Next Error', 'Next Approval']);
    await panel.page.keyboard.press('ArrowUp');
    await becomes(() => panel.focused(), 'Keyboard Shortcuts');
    await panel.page.keyboard.press('ArrowDown');
    await becomes(() => panel.focused(), 'Jump to Latest');
    await panel.page.keyboard.press('Escape');
    await becomes(() => panel.focused(), 'More');
    await becomes(() => more.getAttribute('aria-expanded'), 'false');
  });
});

const threads = [
  { id: 't1', name: 'Main', isPrimary: true, status: 'running', waiting: 0, archived: false },
  { id: 't2', name: 'Link checker', isPrimary: false, parent: 't1', status: 'idle', waiting: 2, archived: false },
  { id: 't3', name: 'Old one', isPrimary: false, parent: 't1', status: 'idle', waiting: 1, archived: true },
];

describe('webview/session/threads', () => {
  usePages();
  let panel: PanelPage;

  it("shows threads as tabs, opens them on request, and restores each one's position", async () => {
    panel = await PanelPage.open();
    await panel.show(manyRows(300), { view: viewOf({ threads }) });
    const tab = (name: string | RegExp) => panel.page.getByRole('tab', { name });
    await becomes(() => tab('Main').getAttribute('aria-selected'), 'true');
    await becomes(
      () =>
        tab(/Link checker/)
          .getByTitle('2 need you')
          .innerText(),
      '2',
    );
    await becomes(
      () =>
        tab(/Old one/)
          .getByTitle('1 needs you')
          .innerText(),
      '1',
    );
    await becomes(() => tab(/Old one/).getAttribute('title'), 'Old one, Archived');
    await becomes(() => tab(/Link checker/).getAttribute('title'), 'Link checker, Idle');
    await panel.wheel(-1500);
    const [name = ''] = /Message \d+/.exec((await panel.row('Message').allInnerTexts()).join('\n')) ?? [];
    const read = await panel.topOf(name);
    await tab(/Link checker/).click();
    await becomes(() => panel.posted('openThread'), [{ type: 'openThread', thread: 't2' }]);
    await panel.show([messageRow(0, 'In the other thread')], { thread: 't2', view: viewOf({ threads }) });
    await panel.row('In the other thread').waitFor();
    await tab(/Link checker/).press('ArrowLeft');
    await panel.rendered();
    await becomes(() => tab('Main').getAttribute('aria-selected'), 'true');
    await eventually(async () => assert.ok(Math.abs((await panel.topOf(name)) - read) <= 1));
    await becomes(async () => (await panel.posted('openThread')).map(({ thread }) => thread), ['t2', '']);
  });

  it('goes to the thread of a revealed row, and to the row once it exists', async () => {
    panel = await PanelPage.open();
    await panel.show(manyRows(10), { view: viewOf({ threads }) });
    await panel.post({ type: 'reveal', thread: 't2', key: 'sevt_100' });
    await panel.rendered();
    await becomes(() => panel.posted('openThread'), [{ type: 'openThread', thread: 't2' }]);
    await panel.show(manyRows(300), { thread: 't2', view: viewOf({ threads }) });
    await panel.row('Message 100:').waitFor();
    await panel.page.locator('article.isMarked:focus').waitFor();
  });

  it('restores the thread and position after a reload', async () => {
    panel = await PanelPage.open({ kept: { session: 's1', thread: 't2', memory: { 'place t2': '{"key":"sevt_40","offset":10}' } } });
    await panel.show(manyRows(10), { view: viewOf({ threads }) });
    await becomes(() => panel.posted('openThread'), [{ type: 'openThread', thread: 't2' }]);
    await panel.show(manyRows(200), { thread: 't2', view: viewOf({ threads }) });
    await panel.row('Message 40:').waitFor();
    await eventually(async () => assert.ok(Math.abs((await panel.topOf('Message 40:')) - 10) <= 1));
  });
});
