import assert from 'node:assert/strict';
import type { AttachedFile } from '../../src/shared/session/composing';
import type { SessionView } from '../../src/shared/session/sessionView';
import { isFlawless } from './axeFindings';
import { becomes } from './eventually';
import { messageRow, viewOf } from './panelFixtures';
import { PanelPage } from './panelPage';
import { pictureThemes, type ThemeName, usePages } from './webviewPage';

const found = [
  { id: 'file-1', name: 'app.ts', folder: 'src' },
  { id: 'file-2', name: 'apple.md', folder: '' },
];
const attached: readonly AttachedFile[] = [
  { id: 'file-1', path: 'src/app.ts', bytes: 1400, as: 'text' },
  {
    id: 'file-3',
    path: '.env',
    bytes: 90,
    as: 'text',
    warning: 'This file may contain secrets. The agent will read it.',
  },
  {
    id: 'file-4',
    path: 'docs/a picture of the house.png',
    bytes: 90_000,
    as: 'upload',
    notAsText: 'Not UTF-8',
  },
];

describe('webview/session/composing', () => {
  usePages();
  let panel: PanelPage;

  it('completes files after @ by keyboard, and keeps the focus in the field', async () => {
    await show();
    await field().pressSequentially('look at @a');
    await becomes(async () => (await panel.posted('findFiles')).map(({ query }) => query), ['', 'a']);
    await panel.post({ type: 'filesFound', query: '', files: [] });
    await panel.rendered();
    await becomes(() => options().count(), 0);
    await panel.post({ type: 'filesFound', query: 'a', files: found });
    await becomes(() => options().allTextContents(), ['app.ts src', 'apple.md ']);
    await becomes(active, 'app.ts src');
    await field().press('ArrowDown');
    await becomes(active, 'apple.md ');
    await field().press('ArrowDown');
    await becomes(active, 'app.ts src');
    await panel.screenshot('composer-files');
    await field().press('Enter');
    await becomes(() => field().inputValue(), 'look at @src/app.ts ');
    await becomes(() => panel.posted('attachFile'), [{ type: 'attachFile', id: 'file-1' }]);
    await becomes(() => options().count(), 0);
    await becomes(isFocused, true);
    await panel.stays(() => panel.posted('send'), []);
  });

  it('closes the list with Escape until another word is started, and sends then', async () => {
    await show();
    await field().pressSequentially('@a');
    await panel.post({ type: 'filesFound', query: 'a', files: found });
    await options().first().waitFor();
    await field().press('Escape');
    await becomes(() => options().count(), 0);
    await field().press('Enter');
    await becomes(async () => (await panel.posted('send')).map(({ text }) => text), ['@a']);
    await field().pressSequentially('@a');
    await options().first().waitFor();
  });

  it("accepts a click, and doesn't treat an address as a file", async () => {
    await show();
    await field().pressSequentially('me@a');
    await panel.stays(() => panel.posted('findFiles'), []);
    await field().fill('');
    await field().pressSequentially('@a');
    await panel.post({ type: 'filesFound', query: 'a', files: found });
    await options().nth(1).click();
    await becomes(() => field().inputValue(), '@apple.md ');
    await becomes(isFocused, true);
  });

  it('says why there are no files', async () => {
    await show();
    await field().pressSequentially('@zzz');
    await panel.post({ type: 'filesFound', query: 'zzz', files: [] });
    await panel.page.getByText('No file of the workspace has this name.').waitFor();
    await panel.post({ type: 'filesFound', query: 'zzz', files: [], problem: 'This workspace is not trusted.' });
    await panel.page.getByText('This workspace is not trusted.').waitFor();
    await field().press('Enter');
    await becomes(async () => (await panel.posted('send')).map(({ text }) => text), ['@zzz']);
  });

  it("shows a message's attachments, changes how they are sent, and removes them", async () => {
    await show();
    await panel.post({ type: 'attached', files: attached });
    await panel.page.getByText('src/app.ts').waitFor();
    await panel.page.getByText('This file may contain secrets.').waitFor();
    await panel.page.getByText('Not UTF-8').waitFor();
    await button('Upload Instead').first().click();
    await becomes(() => panel.posted('attachFile'), [{ type: 'attachFile', id: 'file-1', as: 'upload' }]);
    await button('Remove .env').click();
    await becomes(() => panel.posted('detachFile'), [{ type: 'detachFile', id: 'file-3' }]);
    await becomes(isFocused, true);
  });

  it("sends exactly the visible files, and restores them when the message wasn't sent", async () => {
    await show();
    const [app, , picture] = attached;
    assert.ok(app !== undefined && picture !== undefined);
    await panel.post({ type: 'attached', files: [app, picture] });
    await panel.page.getByText('src/app.ts').waitFor();
    await field().fill('Look.');
    await field().press('Enter');
    const { clientId, files } = await panel.message('send');
    assert.deepEqual(files, [
      { id: 'file-1', as: 'text' },
      { id: 'file-4', as: 'upload' },
    ]);
    await becomes(() => chips().count(), 0);
    await panel.post({ type: 'sendResult', clientId, ok: false, problem: 'It is gone.' });
    await becomes(() => chips().count(), 2);
    await becomes(() => field().inputValue(), 'Look.');
    await field().press('Enter');
    const again = await panel.message('send', 1);
    await panel.post({ type: 'attached', files: [] }, { type: 'sendResult', clientId: again.clientId, ok: true });
    await panel.rendered();
    await becomes(() => chips().count(), 0);
    await field().fill('More.');
    await field().press('Enter');
    const { files: none } = await panel.message('send', 2);
    assert.equal(none, undefined);
  });

  it("reports files that couldn't be attached", async () => {
    await show();
    await panel.post({ type: 'attached', files: [], problem: 'The file is larger than 268 MB.' });
    await panel.page.getByRole('alert').getByText('The file is larger than 268 MB.').waitFor();
  });

  it("runs the panel's actions by a word after /", async () => {
    await show();
    await field().pressSequentially('/');
    await becomes(() => panel.posted('listPrompts'), [{ type: 'listPrompts' }]);
    await becomes(labels, ['interrupt', 'outcome', 'export', 'again', 'resources', 'search', 'keys']);
    await field().pressSequentially('int');
    await becomes(labels, ['interrupt']);
    await field().press('Enter');
    await becomes(() => panel.posted('interrupt'), [{ type: 'interrupt' }]);
    await becomes(() => field().inputValue(), '');
    await field().pressSequentially('/ag');
    await field().press('Tab');
    await becomes(() => panel.posted('startAgain'), [{ type: 'startAgain', key: 'sevt_2' }]);
    await field().pressSequentially('/out');
    await field().press('Enter');
    const outcome = panel.page.getByRole('textbox', { name: 'Goal' });
    await becomes(() => outcome.evaluate(element => element === document.activeElement), true);
    await field().fill('');
    await field().pressSequentially('/exp');
    await field().press('Enter');
    await becomes(() => panel.posted('export'), [{ type: 'export', thread: '', filter: { shown: 'conversation', query: '' } }]);
    await panel.post({ type: 'amend', thread: '', splices: [], view: viewOf({ state: 'idle' }) });
    await panel.rendered();
    await field().pressSequentially('/int');
    await becomes(() => options().count(), 0);
    await panel.stays(() => panel.posted('send'), []);
  });

  it('sends a path at the start of the text literally', async () => {
    await show();
    await field().pressSequentially('/usr/bin is empty');
    await field().press('Enter');
    await becomes(async () => (await panel.posted('send')).map(({ text }) => text), ['/usr/bin is empty']);
  });

  it("inserts a prompt's text, and steps through its placeholders", async () => {
    await show();
    await field().pressSequentially('/rev');
    await panel.post({ type: 'prompts', prompts: [{ name: 'review', detail: 'Reviews a change' }] });
    await becomes(labels, ['review']);
    await panel.screenshot('composer-prompts');
    await field().press('Enter');
    await becomes(() => panel.posted('readPrompt'), [{ type: 'readPrompt', name: 'review' }]);
    await panel.post({ type: 'prompt', name: 'another', text: 'Not asked for.' });
    await panel.post({ type: 'prompt', name: 'review', text: 'Review {{what}}\nfor {{whom}}.' });
    await becomes(() => field().inputValue(), 'Review {{what}}\nfor {{whom}}.');
    await becomes(selected, '{{what}}');
    await panel.page.keyboard.type('the diff');
    await button('Next Placeholder (1)').click();
    await becomes(selected, '{{whom}}');
    await panel.page.keyboard.type('us');
    await becomes(() => panel.page.getByText('Next Place').count(), 0);
    await field().press('Enter');
    await becomes(async () => (await panel.posted('send')).map(({ text }) => text), ['Review the diff\nfor us.']);
  });

  it("reports why a prompt couldn't be read", async () => {
    await show();
    await field().pressSequentially('/rev');
    await panel.post({ type: 'prompts', prompts: [{ name: 'review', detail: '' }] });
    await options().first().waitFor();
    await field().press('Enter');
    await panel.message('readPrompt');
    await panel.post({ type: 'prompt', name: 'review', text: '', problem: 'There is no prompt review any more.' });
    await panel.page.getByRole('alert').getByText('There is no prompt review any more.').waitFor();
  });

  it('offers nothing if nothing can be sent', async () => {
    await show({ canSend: false });
    await field().pressSequentially('/');
    await field().pressSequentially(' @a');
    await panel.stays(() => panel.posted('findFiles'), []);
    await becomes(() => panel.posted('listPrompts'), []);
  });

  for (const theme of pictureThemes) {
    it(`fits a narrow panel in ${theme}`, async () => {
      await showAttached(theme);
      await becomes(() => panel.page.locator('.composer').evaluate(element => element.scrollWidth), 500);
      await panel.screenshot(`composer-attached-${theme}`);
    });
  }

  it('has no axe violations with files and suggestions, in dark, light and high contrast @ci', async () => {
    await showAttached();
    await isFlawless(panel);
  });

  async function showAttached(theme?: ThemeName): Promise<void> {
    await show({}, { ...(theme && { theme }), width: 500 });
    await panel.post({ type: 'attached', files: attached });
    await field().pressSequentially('Compare @a');
    await panel.post({ type: 'filesFound', query: 'a', files: found });
    await options().first().waitFor();
  }

  async function show(view: Partial<SessionView> = {}, options: { theme?: ThemeName; width?: number } = {}): Promise<void> {
    panel = await PanelPage.open({ isClockHeld: true, ...options });
    await panel.show([messageRow(1, 'Hello', { kind: 'user' }), messageRow(2, 'Hi')], { view: viewOf(view) });
  }

  function field() {
    return panel.page.getByRole('textbox', { name: 'Message to the agent' });
  }

  function options() {
    return panel.page.getByRole('listbox').getByRole('option');
  }

  function chips() {
    return panel.page.locator('.attached-chip');
  }

  function button(name: string) {
    return panel.page.getByRole('button', { name, exact: true });
  }

  async function labels(): Promise<readonly string[]> {
    return await panel.page.locator('.option-label').allTextContents();
  }

  /** Returns the text of the field's active option. */
  async function active(): Promise<string | null> {
    return await field().evaluate(
      element => document.getElementById(element.getAttribute('aria-activedescendant') ?? '')?.textContent ?? null,
    );
  }

  async function selected(): Promise<string> {
    return await field().evaluate((element: HTMLTextAreaElement) => element.value.slice(element.selectionStart, element.selectionEnd));
  }

  async function isFocused(): Promise<boolean> {
    return await field().evaluate(element => element === document.activeElement);
  }
});
