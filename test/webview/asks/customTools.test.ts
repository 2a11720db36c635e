import assert from 'node:assert/strict';
import { isFlawless } from '../axeFindings';
import { becomes, eventually } from '../eventually';
import { pictureThemes, type ThemeName, usePages } from '../webviewPage';
import { AsksPage, custom, json } from './asksPage';

describe('webview/controls/asks/customTools', () => {
  usePages();

  it('sends the result of a custom tool unchanged', async () => {
    const panel = await AsksPage.with([custom]);
    const field = panel.page.getByRole('textbox', { name: 'Result' });
    await becomes(() => panel.button('Send Result').isDisabled(), true);
    await field.fill('{"colour": }');
    await panel.page.getByText('Not valid JSON').waitFor();
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

  it("shows the tool's definition", async () => {
    const input = { type: 'object', properties: { of: { type: 'string' } }, required: ['of', 'mood'] };
    const definition = { description: { type: 'text', text: 'Asks a person\u202e for a colour.' }, input: json(input) } as const;
    const panel = await AsksPage.with([{ ...custom, definition }]);
    await panel.page.getByText('for a colour.').waitFor();
    await becomes(() => panel.page.locator('.ask-tool .hiddenCharacter').count(), 1);
    const schema = panel.page.getByText('"required"');
    await becomes(() => schema.isVisible(), false);
    await panel.page.getByText('Schema', { exact: true }).click();
    await becomes(() => schema.isVisible(), true);
    await panel.screenshot('ask-tool-definition');
  });

  for (const theme of pictureThemes) {
    it(`shows the definition in a narrow panel in ${theme}`, async () => {
      const panel = await withDefinition(theme);
      await becomes(() => panel.page.locator('.asks').evaluate(element => element.scrollWidth), 500);
      await panel.screenshot(`ask-tool-definition-${theme}`);
    });
  }

  it('has no axe violations in the definition, in dark, light and high contrast @ci', async () => {
    await isFlawless(await withDefinition());
  });

  async function withDefinition(theme: ThemeName = 'dark'): Promise<AsksPage> {
    const input = json({ type: 'object', properties: { of: { type: 'string' } }, required: ['of', 'mood'] });
    const definition = { description: { type: 'text', text: 'Asks a person for a colour.\nThey see what it is of.' }, input } as const;
    const panel = await AsksPage.with([{ ...custom, definition }], { theme, width: 500 });
    await panel.page.getByText('for a colour.').waitFor();
    return panel;
  }

  it('sends the result with Ctrl+Enter, as soon as it is complete', async () => {
    const panel = await AsksPage.with([custom]);
    const field = panel.page.getByRole('textbox', { name: 'Result' });
    await field.press('Control+Enter');
    await field.fill('red\ngreen');
    await panel.settled();
    await field.press('Control+Enter');
    await becomes(async () => (await panel.posted('customResult')).map(({ text }) => text), ['red\ngreen']);
    await field.waitFor({ state: 'detached' });
  });

  it('sends a file, and does nothing when none was chosen', async () => {
    const panel = await AsksPage.with([custom]);
    const field = panel.page.getByRole('textbox', { name: 'Result' });
    await field.fill('begun');
    await panel.press('From File...');
    await panel.page.getByText('Select a file').waitFor();
    const sent = await panel.message('customResultFromFile');
    await panel.post({ type: 'sendResult', clientId: sent.clientId, ok: false });
    await becomes(() => field.inputValue(), 'begun');
    await becomes(() => panel.page.locator('.ask [role=alert]').count(), 0);
  });

  it('keeps an unfinished result across a reload, until it was sent', async () => {
    let panel = await AsksPage.with([custom]);
    await panel.page.getByRole('textbox', { name: 'Result' }).fill('begun');
    const kept = await panel.kept();
    panel = await AsksPage.with([custom], { kept });
    await becomes(() => panel.page.getByRole('textbox', { name: 'Result' }).inputValue(), 'begun');
    await panel.press('Send Result');
    const sent = await panel.message('customResult');
    await panel.post({ type: 'sendResult', clientId: sent.clientId, ok: true });
    await panel.rendered();
    await eventually(async () => assert.ok(!JSON.stringify(await panel.kept()).includes('begun')));
  });
});
