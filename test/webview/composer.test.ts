import assert from 'node:assert/strict';
import type { PanelState } from '../../src/shared/session/sessionProtocol';
import type { SessionView } from '../../src/shared/session/sessionView';
import { becomes, eventually } from './eventually';
import { viewOf } from './panelFixtures';
import { PanelPage } from './panelPage';
import { pictureThemes, type ThemeName, usePages } from './webviewPage';

describe('webview/session/composer', () => {
  usePages();
  let panel: PanelPage;

  it('sends with Enter and breaks the line with Shift+Enter', async () => {
    await show();
    await field().click();
    await panel.page.keyboard.type('one');
    await panel.page.keyboard.press('Shift+Enter');
    await panel.page.keyboard.type('two');
    await panel.stays(() => panel.posted('send'), []);
    await panel.page.keyboard.press('Enter');
    const { clientId } = await panel.message('send');
    await panel.stays(() => panel.posted('send'), [{ type: 'send', clientId, text: 'one\ntwo' }]);
    await becomes(() => field().inputValue(), '');
    await becomes(() => isFocused(), true);
  });

  it('sends no empty message, and nothing during IME composition', async () => {
    await show();
    await field().fill('  \n ');
    await panel.page.keyboard.press('Enter');
    await becomes(() => button('Send').isDisabled(), true);
    await field().fill('かな');
    await field().dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true });
    await field().dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true });
    await panel.stays(() => panel.posted('send'), []);
    await button('Send').click();
    await becomes(async () => (await panel.posted('send')).length, 1);
  });

  it('restores an unsent message above newer text', async () => {
    await show();
    await field().fill('first');
    await panel.page.keyboard.press('Enter');
    await panel.page.keyboard.type('second');
    const { clientId } = await panel.message('send');
    await panel.post({ type: 'sendResult', clientId, ok: false, problem: '500 from 127.0.0.1' });
    await panel.page.getByText('Your message was not sent: 500 from 127.0.0.1').waitFor();
    await becomes(() => field().inputValue(), 'first\n\nsecond');
    await panel.page.keyboard.type('!');
    await becomes(() => field().inputValue(), 'first\n\nsecond!');
    await panel.screenshot('composer-failed');
    await button('Dismiss').click();
    await becomes(() => panel.page.getByText('500 from 127.0.0.1').count(), 0);
  });

  it('keeps the field when a message was sent', async () => {
    await show();
    await field().fill('first');
    await panel.page.keyboard.press('Enter');
    await panel.page.keyboard.type('second');
    const { clientId } = await panel.message('send');
    await panel.post({ type: 'sendResult', clientId, ok: true });
    await panel.rendered();
    await becomes(() => field().inputValue(), 'second');
  });

  it('steps through sent messages with the arrow keys at the edges of the text', async () => {
    await show();
    for (const text of ['one', 'two']) {
      await field().fill(text);
      await panel.page.keyboard.press('Enter');
    }
    await panel.page.keyboard.type('draft');
    await panel.page.keyboard.press('ArrowUp');
    await panel.stays(() => field().inputValue(), 'draft');
    await panel.page.keyboard.press('Home');
    for (const expected of ['two', 'one', 'one']) {
      await panel.page.keyboard.press('ArrowUp');
      await becomes(() => field().inputValue(), expected);
    }
    for (const expected of ['two', 'draft', 'draft']) {
      await panel.page.keyboard.press('End');
      await panel.page.keyboard.press('ArrowDown');
      await becomes(() => field().inputValue(), expected);
    }
  });

  it('keeps the draft and sent messages across a reload', async () => {
    await show();
    await field().fill('sent before');
    await panel.page.keyboard.press('Enter');
    await panel.page.keyboard.type('draft');
    const kept = await panel.kept();
    await show({}, { kept });
    await becomes(() => field().inputValue(), 'draft');
    await field().focus();
    await panel.page.keyboard.press('Control+Home');
    await panel.page.keyboard.press('ArrowUp');
    await becomes(() => field().inputValue(), 'sent before');
  });

  it('explains why nothing can be sent, and keeps the text', async () => {
    await show({ canSend: false, whyNot: 'This session is archived.' });
    await panel.page.getByText('This session is archived.').waitFor();
    await field().fill('words');
    await panel.page.keyboard.press('Enter');
    await becomes(() => button('Send').isDisabled(), true);
    await becomes(() => button('Interrupt').count(), 0);
    await panel.stays(() => panel.posted('send'), []);
    await becomes(async () => (await panel.kept()).draft, 'words');
    await panel.screenshot('composer-why');
  });

  it('offers to raise a used-up budget beside the reason', async () => {
    const whyNot = 'Nothing is left of the budget.';
    await show({ state: 'idle', rest: { kind: 'budget' }, canSend: false, whyNot });
    await panel.page.getByText(whyNot).waitFor();
    await field().fill('words');
    await becomes(() => button('Send').isDisabled(), true);
    await button('Raise Budget...').click();
    await becomes(async () => (await panel.posted('changeBudget')).length, 1);
    for (const theme of pictureThemes) {
      await panel.setTheme(theme);
      await panel.screenshot(`composer-budget-${theme}`);
    }
  });

  it('says that a message will be queued while the session runs', async () => {
    await show();
    await panel.page.getByText('The session is running: your message will be queued.').waitFor();
    await panel.post({ type: 'amend', thread: '', splices: [], view: viewOf({ state: 'idle' }) });
    await panel.page.getByText('your message will be queued').waitFor({ state: 'detached' });
  });

  it('interrupts once, and again when the session runs again', async () => {
    await show();
    await field().focus();
    await panel.page.keyboard.press('Escape');
    await panel.stays(() => panel.posted('interrupt'), []);
    await button('Interrupt').click();
    await becomes(() => panel.posted('interrupt'), [{ type: 'interrupt' }]);
    await becomes(() => button('Interrupting…').isDisabled(), true);
    // The disabled button keeps the focus, and pressing it again has no effect.
    await becomes(() => panel.focused(), 'Interrupting…');
    await panel.page.keyboard.press('Enter');
    await panel.stays(async () => (await panel.posted('interrupt')).length, 1);
    await panel.post({ type: 'amend', thread: '', splices: [], view: viewOf({ state: 'idle' }) });
    await button('Interrupting…').waitFor({ state: 'detached' });
    await becomes(() => button('Interrupt').count(), 0);
    await becomes(() => panel.focused(), 'Message to the agent');
    await panel.post({ type: 'amend', thread: '', splices: [], view: viewOf() });
    await becomes(() => button('Interrupt').isEnabled(), true);
  });

  it('interrupts the visible thread, and says where messages go', async () => {
    const thread = { status: 'running', waiting: 0, archived: false };
    const threads = [
      { ...thread, id: 'thread_1', name: 'Main', isPrimary: true },
      { ...thread, id: 'thread_2', name: 'Link checker', isPrimary: false },
    ];
    await show({ threads });
    await panel.page.getByRole('tab', { name: 'Link checker' }).click();
    await panel.page.getByText('Sends to the main thread.').waitFor();
    await button('Interrupt Thread').click();
    await becomes(() => panel.posted('interrupt'), [{ type: 'interrupt', thread: 'thread_2' }]);
  });

  it('defines an outcome, and keeps the form after a failure', async () => {
    await show();
    await defineOutcome();
    await panel.page.keyboard.type('All links work');
    await panel.page.getByRole('textbox', { name: 'Rubric' }).fill('Every link answers 200.');
    const iterations = panel.page.getByRole('spinbutton', { name: 'Maximum iterations' });
    await iterations.fill('21');
    await panel.page.getByText('Enter a whole number from 1 to 20 for the iterations.').waitFor();
    await becomes(() => button('Define').isDisabled(), true);
    await iterations.fill('5');
    await panel.screenshot('composer-outcome');
    await button('Define').click();
    const sent = await panel.message('defineOutcome');
    assert.deepEqual(sent, {
      ...{ type: 'defineOutcome', clientId: sent.clientId, description: 'All links work' },
      ...{ rubric: 'Every link answers 200.', maxIterations: 5 },
    });
    await panel.post({ type: 'sendResult', clientId: sent.clientId, ok: false, problem: '400: no budget left' });
    await panel.page.getByText('400: no budget left').waitFor();
    await becomes(() => iterations.inputValue(), '5');
    await iterations.press('Control+Enter');
    const again = await panel.message('defineOutcome', 1);
    await panel.post({ type: 'sendResult', clientId: again.clientId, ok: true });
    await iterations.waitFor({ state: 'detached' });
    await becomes(() => isFocused(), true);
    await defineOutcome();
    await becomes(() => panel.page.getByRole('textbox', { name: 'Goal' }).inputValue(), '');
  });

  it('shows the size of a long message, and rejects one that is too long', async () => {
    await show();
    await field().fill('x'.repeat(30_000));
    await panel.page.getByText('30,000 of 1,000,000 characters.').waitFor();
    await field().evaluate(element => {
      const data = new DataTransfer();
      data.setData('text/plain', 'y'.repeat(999_999));
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await panel.page.getByText('The pasted text has 999,999 characters; a message can have 1,000,000.').waitFor();
    await becomes(async () => (await field().inputValue()).length, 30_000);
  });

  it('grows with its text, up to two fifths of the panel', async () => {
    await show();
    const height = async () => (await field().boundingBox())?.height ?? 0;
    await eventually(async () => assert.ok((await height()) < 40));
    await field().fill('a\nb\nc\nd');
    await eventually(async () => assert.ok((await height()) > 70));
    await field().fill('a\n'.repeat(200));
    await becomes(() => height(), 280);
  });

  it('takes the focus on request', async () => {
    await show();
    await panel.post({ type: 'focus', target: 'composer' });
    await panel.rendered();
    await becomes(() => isFocused(), true);
  });

  for (const theme of pictureThemes) {
    it(`fits a narrow panel in ${theme}`, async () => {
      await show({}, { theme, width: 300 });
      await defineOutcome();
      await panel.screenshot(`composer-narrow-${theme}`);
      await becomes(() => panel.page.locator('.composer').evaluate(element => element.scrollWidth), 300);
    });
  }

  async function show(
    view: Partial<SessionView> = {},
    options: { kept?: PanelState; theme?: ThemeName; width?: number } = {},
  ): Promise<void> {
    panel = await PanelPage.open({ isClockHeld: true, ...options });
    await panel.show([], { view: viewOf(view) });
  }

  function field() {
    return panel.page.getByRole('textbox', { name: 'Message to the agent' });
  }

  function button(name: string) {
    return panel.page.getByRole('button', { name, exact: true });
  }

  async function defineOutcome(): Promise<void> {
    await field().pressSequentially('/outcome');
    await field().press('Enter');
  }

  async function isFocused(): Promise<boolean> {
    return await field().evaluate(element => element === document.activeElement);
  }
});
