import assert from 'node:assert/strict';
import { becomes, eventually } from '../eventually';
import { usePages } from '../webviewPage';
import { AsksPage, custom } from './asksPage';

describe('webview/session/asks/customTools', () => {
  usePages();

  it('sends the result of a custom tool as it was written', async () => {
    const panel = await AsksPage.with([custom]);
    const field = panel.page.getByRole('textbox', { name: 'Result' });
    await becomes(() => panel.button('Send Result').isDisabled(), true);
    await field.fill('{"colour": }');
    await panel.page.getByText('This begins like JSON and is none: see line 1, column 12.').waitFor();
    await panel.settled();
    await becomes(() => panel.button('Send as Text').isEnabled(), true);
    await field.fill('{"colour": "red"}');
    await panel.page.getByText('Valid JSON').waitFor();
    await panel.page.getByRole('checkbox').check();
    await panel.press('Send Error');
    const sent = await panel.message('customResult');
    assert.deepEqual(sent, {
      ...{ type: 'customResult', clientId: sent.clientId, eventId: 'sevt_custom' },
      ...{ text: '{"colour": "red"}', isError: true },
    });
  });

  it('sends the result by Ctrl+Enter, once it can be', async () => {
    const panel = await AsksPage.with([custom]);
    const field = panel.page.getByRole('textbox', { name: 'Result' });
    await field.press('Control+Enter');
    await field.fill('red\ngreen');
    await panel.settled();
    await field.press('Control+Enter');
    await becomes(async () => (await panel.posted('customResult')).map(({ text }) => text), ['red\ngreen']);
    await field.waitFor({ state: 'detached' });
  });

  it('sends a file, and takes it calmly when none was chosen', async () => {
    const panel = await AsksPage.with([custom]);
    const field = panel.page.getByRole('textbox', { name: 'Result' });
    await field.fill('begun');
    await panel.press('From File…');
    await panel.page.getByText('Choose a file…').waitFor();
    const sent = await panel.message('customResultFromFile');
    await panel.post({ type: 'sendResult', clientId: sent.clientId, ok: false });
    await becomes(() => field.inputValue(), 'begun');
    await becomes(() => panel.page.locator('.ask [role=alert]').count(), 0);
  });

  it('keeps what was begun over a reload, until it was sent', async () => {
    let panel = await AsksPage.with([custom]);
    await panel.page.getByRole('textbox', { name: 'Result' }).fill('begun');
    const kept = await panel.kept();
    panel = await AsksPage.with([custom], { kept });
    await becomes(() => panel.page.getByRole('textbox', { name: 'Result' }).inputValue(), 'begun');
    await panel.press('Send Result');
    const sent = await panel.message('customResult');
    await panel.post({ type: 'sendResult', clientId: sent.clientId, ok: true });
    await panel.drawn();
    await eventually(async () => assert.ok(!JSON.stringify(await panel.kept()).includes('begun')));
  });
});
