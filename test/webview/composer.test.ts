import assert from 'node:assert/strict';
import type { PanelState } from '../../src/shared/session/protocol';
import type { SessionView } from '../../src/shared/session/sessionView';
import { viewOf } from './panelFixtures';
import { PanelPage, type ThemeName } from './panelPage';

describe('webview/session/composer', function () {
  this.timeout(30_000);
  let panel: PanelPage;
  afterEach(() => panel.end());

  it('sends with Enter and breaks the line with Shift+Enter', async () => {
    await show();
    await field().click();
    await panel.page.keyboard.type('one');
    await panel.page.keyboard.press('Shift+Enter');
    await panel.page.keyboard.type('two');
    assert.deepEqual(await panel.posted('send'), []);
    await panel.page.keyboard.press('Enter');
    const [sent, ...more] = await panel.posted('send');
    assert.deepEqual(sent, { type: 'send', clientId: sent?.clientId, text: 'one\ntwo' });
    assert.deepEqual(more, []);
    assert.equal(await field().inputValue(), '');
    assert.equal(await isFocused(), true);
  });

  it('sends nothing that is empty, and nothing while a character is composed', async () => {
    await show();
    await field().fill('  \n ');
    await panel.page.keyboard.press('Enter');
    assert.equal(await button('Send').isDisabled(), true);
    await field().fill('かな');
    await field().dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true });
    await field().dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true });
    assert.deepEqual(await panel.posted('send'), []);
    await button('Send').click();
    assert.equal((await panel.posted('send')).length, 1);
  });

  it('brings back what could not be sent, above what was written since', async () => {
    await show();
    await field().fill('first');
    await panel.page.keyboard.press('Enter');
    await panel.page.keyboard.type('second');
    const [sent] = await panel.posted('send');
    await panel.post({ type: 'sendResult', clientId: sent?.clientId ?? '', ok: false, problem: '500 from 127.0.0.1' });
    await panel.page.getByText('Your message was not sent: 500 from 127.0.0.1').waitFor();
    assert.equal(await field().inputValue(), 'first\n\nsecond');
    await panel.page.keyboard.type('!');
    assert.equal(await field().inputValue(), 'first\n\nsecond!');
    await panel.screenshot('composer-failed');
    await button('Dismiss').click();
    assert.equal(await panel.page.getByText('500 from 127.0.0.1').count(), 0);
  });

  it('leaves the field alone when it was sent', async () => {
    await show();
    await field().fill('first');
    await panel.page.keyboard.press('Enter');
    await panel.page.keyboard.type('second');
    const [sent] = await panel.posted('send');
    await panel.post({ type: 'sendResult', clientId: sent?.clientId ?? '', ok: true });
    await panel.drawn();
    assert.equal(await field().inputValue(), 'second');
  });

  it('walks through what was sent with the arrows at the edges of the text', async () => {
    await show();
    for (const text of ['one', 'two']) {
      await field().fill(text);
      await panel.page.keyboard.press('Enter');
    }
    await panel.page.keyboard.type('draft');
    await panel.page.keyboard.press('ArrowUp');
    assert.equal(await field().inputValue(), 'draft');
    await panel.page.keyboard.press('Home');
    for (const expected of ['two', 'one', 'one']) {
      await panel.page.keyboard.press('ArrowUp');
      assert.equal(await field().inputValue(), expected);
    }
    for (const expected of ['two', 'draft', 'draft']) {
      await panel.page.keyboard.press('End');
      await panel.page.keyboard.press('ArrowDown');
      assert.equal(await field().inputValue(), expected);
    }
  });

  it('keeps the draft and what was sent over a reload', async () => {
    await show();
    await field().fill('sent before');
    await panel.page.keyboard.press('Enter');
    await panel.page.keyboard.type('draft');
    const kept = await panel.kept();
    await panel.close();
    await show({}, { kept });
    assert.equal(await field().inputValue(), 'draft');
    await field().focus();
    await panel.page.keyboard.press('Control+Home');
    await panel.page.keyboard.press('ArrowUp');
    assert.equal(await field().inputValue(), 'sent before');
  });

  it('says why nothing can be sent, and keeps what is written', async () => {
    await show({ canSend: false, whyNot: 'The session was archived.' });
    await panel.page.getByText('The session was archived.').waitFor();
    await field().fill('words');
    await panel.page.keyboard.press('Enter');
    assert.equal(await button('Send').isDisabled(), true);
    assert.equal(await button('Define Outcome…').isDisabled(), true);
    assert.equal(await button('Interrupt').count(), 0);
    assert.deepEqual(await panel.posted('send'), []);
    assert.equal((await panel.kept()).draft, 'words');
    await panel.screenshot('composer-why');
  });

  it('says that a message will be queued while the session runs', async () => {
    await show();
    await panel.page.getByText('The session is running: your message will be queued.').waitFor();
    await panel.post({ type: 'amend', thread: '', splices: [], view: viewOf({ state: 'idle' }) });
    await panel.page.getByText('your message will be queued').waitFor({ state: 'detached' });
  });

  it('interrupts once, and can again when the session runs again', async () => {
    await show();
    await field().focus();
    await panel.page.keyboard.press('Escape');
    assert.deepEqual(await panel.posted('interrupt'), []);
    await button('Interrupt').click();
    assert.deepEqual(await panel.posted('interrupt'), [{ type: 'interrupt' }]);
    assert.equal(await button('Interrupting…').isDisabled(), true);
    await panel.post({ type: 'amend', thread: '', splices: [], view: viewOf({ state: 'idle' }) });
    await button('Interrupting…').waitFor({ state: 'detached' });
    assert.equal(await button('Interrupt').count(), 0);
    await panel.post({ type: 'amend', thread: '', splices: [], view: viewOf() });
    assert.equal(await button('Interrupt').isEnabled(), true);
  });

  it('interrupts the thread that is shown, and says where messages go', async () => {
    const thread = { parent: 'thread_1', status: 'running', waiting: 0, archived: false };
    const threads = [
      { ...thread, id: 'thread_1', name: 'Main', isPrimary: true, parent: undefined },
      { ...thread, id: 'thread_2', name: 'Link checker', isPrimary: false },
    ];
    await show({ threads });
    await panel.page.getByRole('tab', { name: 'Link checker' }).click();
    await panel.page.getByText('It goes to the main thread, not to Link checker.').waitFor();
    await button('Interrupt This Thread').click();
    assert.deepEqual(await panel.posted('interrupt'), [{ type: 'interrupt', thread: 'thread_2' }]);
  });

  it('defines an outcome, and keeps the form when that failed', async () => {
    await show();
    await button('Define Outcome…').click();
    await panel.page.keyboard.type('All links work');
    await panel.page.getByRole('textbox', { name: 'How it is judged (rubric)' }).fill('Every link answers 200.');
    const iterations = panel.page.getByRole('spinbutton', { name: 'Iterations at most' });
    await iterations.fill('21');
    await panel.page.getByText('Iterations are a whole number from 1 to 20.').waitFor();
    assert.equal(await button('Define').isDisabled(), true);
    await iterations.fill('5');
    await panel.screenshot('composer-outcome');
    await button('Define').click();
    const [sent] = await panel.posted('defineOutcome');
    assert.deepEqual(sent, {
      ...{ type: 'defineOutcome', clientId: sent?.clientId, description: 'All links work' },
      ...{ rubric: 'Every link answers 200.', maxIterations: 5 },
    });
    await panel.post({ type: 'sendResult', clientId: sent?.clientId ?? '', ok: false, problem: '400: no budget left' });
    await panel.page.getByText('400: no budget left').waitFor();
    assert.equal(await iterations.inputValue(), '5');
    await iterations.press('Control+Enter');
    const [, again] = await panel.posted('defineOutcome');
    await panel.post({ type: 'sendResult', clientId: again?.clientId ?? '', ok: true });
    await iterations.waitFor({ state: 'detached' });
    assert.equal(await isFocused(), true);
    await button('Define Outcome…').click();
    assert.equal(await panel.page.getByRole('textbox', { name: 'What is to be reached' }).inputValue(), '');
  });

  it('tells the size of a long message, and refuses one that is too long', async () => {
    await show();
    await field().fill('x'.repeat(30_000));
    await panel.page.getByText('30,000 of 1,000,000 characters.').waitFor();
    await field().evaluate(element => {
      const data = new DataTransfer();
      data.setData('text/plain', 'y'.repeat(999_999));
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await panel.page.getByText('What you pasted has 999,999 characters; a message has at most 1,000,000.').waitFor();
    assert.equal((await field().inputValue()).length, 30_000);
  });

  it('grows with what is written, to two fifths of the panel', async () => {
    await show();
    const height = async () => (await field().boundingBox())?.height ?? 0;
    assert.ok((await height()) < 40);
    await field().fill('a\nb\nc\nd');
    assert.ok((await height()) > 70);
    await field().fill('a\n'.repeat(200));
    assert.equal(await height(), 280);
  });

  it('takes the keyboard when the host says so', async () => {
    await show();
    await panel.post({ type: 'focus', target: 'composer' });
    await panel.drawn();
    assert.equal(await isFocused(), true);
  });

  for (const theme of ['dark', 'light', 'highContrast', 'highContrastLight'] as const satisfies readonly ThemeName[]) {
    it(`fits a narrow panel in ${theme}`, async () => {
      await show({}, { theme, width: 300 });
      await button('Define Outcome…').click();
      await panel.screenshot(`composer-narrow-${theme}`);
      assert.equal(await panel.page.locator('.composer').evaluate(element => element.scrollWidth), 300);
    });
  }

  async function show(
    view: Partial<SessionView> = {},
    options: { kept?: PanelState; theme?: ThemeName; width?: number } = {},
  ): Promise<void> {
    panel = await PanelPage.open(options);
    await panel.show([], { view: viewOf(view) });
  }

  function field() {
    return panel.page.getByRole('textbox', { name: 'Message to the agent' });
  }

  function button(name: string) {
    return panel.page.getByRole('button', { name, exact: true });
  }

  async function isFocused(): Promise<boolean> {
    return await field().evaluate(element => element === document.activeElement);
  }
});
