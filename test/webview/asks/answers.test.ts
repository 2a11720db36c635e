import assert from 'node:assert/strict';
import { becomes, eventually } from '../eventually';
import { spokenTexts } from '../inPanel.mjs';
import { toolRow, viewOf } from '../panelFixtures';
import { pictureThemes, usePages } from '../webviewPage';
import { AsksPage, bash, custom, json, shownOf } from './asksPage';

describe('webview/controls/asks/answers', () => {
  usePages();

  it('allows by its button, with the listed ID', async () => {
    const panel = await AsksPage.with([bash]);
    await panel.press('Allow (A)');
    const { clientId } = await panel.message('confirm');
    await panel.stays(
      () => panel.posted('confirm'),
      [{ type: 'confirm', clientId, eventId: 'sevt_ask', result: 'allow', shown: shownOf(bash) }],
    );
    await panel.page.getByText('Answering…').waitFor();
    await becomes(() => panel.button('Allow (A)').count(), 0);
    await panel.post({ type: 'sendResult', clientId, ok: true });
    await panel.page.getByText('Answered', { exact: true }).waitFor();
    await panel.amend([]);
    await becomes(() => panel.page.locator('.asks').count(), 0);
  });

  it("resets when the ask changes before the user's eyes, and reports what it showed", async () => {
    const panel = await AsksPage.with([bash]);
    await panel.settled();
    const changed = { ...bash, input: json({ command: 'git push --force', timeout: 60 }) };
    await panel.amend([changed]);
    await becomes(() => panel.button('Allow (A)').isDisabled(), true);
    await panel.press('Allow (A)');
    assert.equal((await panel.message('confirm')).shown, shownOf(changed));
  });

  it("restores the buttons with the reason when an answer wasn't sent", async () => {
    const panel = await AsksPage.with([bash]);
    await panel.press('Deny (D)');
    const confirm = await panel.message('confirm');
    assert.equal(confirm.result, 'deny');
    await panel.post({ type: 'sendResult', clientId: confirm.clientId, ok: false, problem: '409 from 127.0.0.1: already answered' });
    await panel.page.getByText('409 from 127.0.0.1: already answered').waitFor();
    await panel.press('Allow (A)');
    await becomes(async () => (await panel.posted('confirm')).map(({ result }) => result), ['deny', 'allow']);
  });

  it('can be answered again when an answer changed nothing', async () => {
    const panel = await AsksPage.with([bash]);
    await panel.press('Allow (A)');
    const confirm = await panel.message('confirm');
    await panel.post({ type: 'sendResult', clientId: confirm.clientId, ok: true });
    await panel.amend([{ ...bash, answering: true }]);
    await panel.amend([bash]);
    await panel.page.getByText('The session is still waiting.').waitFor();
    await panel.button('Allow (A)').waitFor();
  });

  it('ignores keys meant for other elements', async () => {
    const panel = await AsksPage.with([]);
    const composer = panel.page.getByRole('textbox', { name: 'Message to the agent' });
    await composer.click();
    await panel.amend([bash]);
    await panel.settled();
    await panel.page.keyboard.type('add');
    await becomes(() => composer.inputValue(), 'add');
    await composer.blur();
    for (const key of ['Enter', 'a', 'd', 'Space']) {
      await panel.page.keyboard.press(key);
    }
    await panel.page.locator('.ask').focus();
    for (const key of ['Enter', 'Space', 'Control+a', 'Alt+a', 'Shift+A']) {
      await panel.page.keyboard.press(key);
    }
    await panel.stays(() => panel.posted('confirm'), []);
  });

  it('allows and denies by keys when the card itself has the focus', async () => {
    const panel = await AsksPage.with([bash]);
    await panel.settled();
    await panel.page.locator('.ask').focus();
    await panel.page.keyboard.press('a');
    await panel.amend([{ ...bash, eventId: 'sevt_other' }]);
    await panel.settled();
    await panel.page.locator('.ask').focus();
    await panel.page.keyboard.press('d');
    await becomes(
      async () => (await panel.posted('confirm')).map(({ eventId, result }) => [eventId, result]),
      [
        ['sevt_ask', 'allow'],
        ['sevt_other', 'deny'],
      ],
    );
  });

  it("accepts no answer in the first moment, and doesn't focus the next card", async () => {
    const panel = await AsksPage.with([bash, { ...bash, eventId: 'sevt_next' }]);
    await panel.settled();
    await panel.page.locator('.ask').focus();
    await panel.page.keyboard.press('a');
    await panel.amend([{ ...bash, eventId: 'sevt_next' }]);
    await panel.page.keyboard.press('a');
    await becomes(() => panel.button('Allow (A)').isDisabled(), true);
    await panel.page.locator('.asks:focus').waitFor();
    await panel.stays(async () => (await panel.posted('confirm')).length, 1);
  });

  it('takes no focus from a VS Code dialog when the focused card is answered elsewhere', async () => {
    const panel = await AsksPage.with([bash, { ...bash, eventId: 'sevt_next' }]);
    await panel.page.locator('.ask').focus();
    await panel.page.evaluate(() => {
      document.hasFocus = () => false;
    });
    await panel.amend([{ ...bash, eventId: 'sevt_next', tool: 'second' }]);
    await panel.page.getByRole('heading', { name: 'Allow second to run this?' }).waitFor();
    assert.equal(await panel.page.evaluate(() => document.activeElement?.tagName), 'BODY');
    await panel.page.evaluate(() => window.dispatchEvent(new FocusEvent('focus')));
    await panel.page.locator('.asks:focus').waitFor();
  });

  it('denies with a reason, which is kept when the answer fails', async () => {
    const panel = await AsksPage.with([bash]);
    await panel.press('Deny with Reason... (R)');
    const reason = panel.page.getByRole('textbox', { name: 'Reason (sent to agent)' });
    await becomes(() => panel.button('Deny').isDisabled(), true);
    await panel.page.keyboard.type('Use the\nstaging host');
    await becomes(() => reason.inputValue(), 'Use the\nstaging host');
    await panel.page.keyboard.press('Control+Enter');
    const confirm = await panel.message('confirm');
    assert.equal(confirm.denyMessage, 'Use the\nstaging host');
    assert.equal(confirm.result, 'deny');
    await panel.post({ type: 'sendResult', clientId: confirm.clientId, ok: false, problem: '500' });
    await becomes(() => reason.inputValue(), 'Use the\nstaging host');
    await reason.press('Escape');
    await becomes(() => reason.count(), 0);
    await eventually(async () => assert.match(await panel.focusedText(), /Allow bash to run this/));
    // Keys that are typed right after the answer are part of the reason, not other answers.
    await panel.page.keyboard.type('radad');
    await becomes(() => reason.inputValue(), 'Use the\nstaging hostadad');
    await panel.stays(async () => (await panel.posted('confirm')).length, 1);
  });

  it('steps through several asks, of all threads', async () => {
    const panel = await AsksPage.with([
      bash,
      { ...bash, eventId: 'sevt_2', tool: 'write', thread: 'thread_2', threadName: 'Link checker' },
      custom,
    ]);
    await panel.page.getByText('1 of 3').waitFor();
    await panel.press('Next');
    await panel.page.getByText('Thread Link checker').waitFor();
    await panel.page.locator('.ask').focus();
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.getByText('pick_colour of tracker needs a result').waitFor();
    await eventually(async () => assert.match(await panel.focusedText(), /pick_colour/));
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.getByText('1 of 3').waitFor();
    await panel.screenshot('asks-several');
  });

  it('announces new asks', async () => {
    const panel = await AsksPage.with([]);
    await panel.page.evaluate(spokenTexts);
    await panel.amend([bash]);
    await panel.says('Allow bash to run this?');
  });

  it('focuses the card that the host names, where only A, D and R answer', async () => {
    const panel = await AsksPage.with([bash, { ...bash, eventId: 'sevt_meant', tool: 'write' }]);
    await panel.settled();
    await panel.show([toolRow(1, { key: 'sevt_call' })], {
      view: viewOf({ asks: [bash, { ...bash, eventId: 'sevt_meant', tool: 'write' }] }),
    });
    await panel.post(
      { type: 'reveal', thread: '', key: 'sevt_call', leavesKeyboard: true },
      { type: 'focus', target: 'ask', eventId: 'sevt_meant' },
    );
    await panel.page.getByRole('heading', { name: 'Allow write to run this?' }).waitFor();
    await becomes(() => panel.focusedHeading(), 'Allow write to run this?');
    await becomes(() => panel.page.locator('.ask').evaluate(card => getComputedStyle(card).outlineStyle), 'solid');
    await panel.settled();
    for (const key of ['Enter', 'Space']) {
      await panel.page.keyboard.press(key);
    }
    await panel.stays(() => panel.posted('confirm'), []);
    await panel.page.keyboard.press('a');
    await becomes(async () => (await panel.posted('confirm')).map(({ eventId, result }) => [eventId, result]), [['sevt_meant', 'allow']]);
  });

  it('waits for an ask that the host names before it arrives', async () => {
    const panel = await AsksPage.with([bash]);
    await panel.post({ type: 'focus', target: 'ask', eventId: 'sevt_late' });
    await panel.stays(() => panel.page.evaluate(() => document.activeElement?.tagName), 'BODY');
    await panel.amend([bash, { ...bash, eventId: 'sevt_late', tool: 'late' }]);
    await becomes(() => panel.focusedHeading(), 'Allow late to run this?');
  });

  it('takes no focus from a text field in use', async () => {
    const panel = await AsksPage.with([bash]);
    const composer = panel.page.getByRole('textbox', { name: 'Message to the agent' });
    await composer.click();
    await panel.page.keyboard.type('a');
    await panel.post({ type: 'focus', target: 'ask', eventId: 'sevt_ask' });
    await panel.rendered();
    await panel.page.keyboard.type('dd');
    await becomes(() => composer.inputValue(), 'add');
    await panel.pass(2000);
    await panel.post({ type: 'focus', target: 'ask', eventId: 'sevt_ask' });
    await becomes(() => panel.focusedHeading(), 'Allow bash to run this?');
    await panel.stays(() => panel.posted('confirm'), []);
  });

  it('takes no focus from a VS Code dialog on a request of the host', async () => {
    const panel = await AsksPage.with([bash]);
    await panel.page.evaluate(() => {
      document.hasFocus = () => false;
    });
    await panel.post({ type: 'focus', target: 'ask', eventId: 'sevt_ask' });
    await panel.stays(() => panel.page.evaluate(() => document.activeElement?.tagName), 'BODY');
    await panel.page.evaluate(() => window.dispatchEvent(new FocusEvent('focus')));
    await becomes(() => panel.focusedHeading(), 'Allow bash to run this?');
  });

  it('accepts no answers in an exported file', async () => {
    const panel = await AsksPage.with([]);
    await panel.show([], { view: viewOf({ asks: [bash] }), canWrite: false, isReplay: true, connection: { name: 'offlineFile' } });
    await panel.page.getByText("The arguments aren't available.").waitFor();
    await becomes(() => panel.button('Allow (A)').count(), 0);
  });

  for (const theme of pictureThemes) {
    it(`has pictures in ${theme}, also in a narrow panel`, async () => {
      const panel = await AsksPage.with([], { theme, width: 300, height: 800 });
      const edit = json({
        file_path: '/workspace/a/long/path/to/notes.md',
        old_string: 'one\n\ttwo\nthree',
        new_string: 'one\n\tTWO\nthree\nfour',
        all: true,
      });
      await panel.show([], {
        view: viewOf({ state: 'waiting', asks: [bash, { ...bash, eventId: 'e', tool: 'edit', input: edit }, custom] }),
      });
      await panel.settled();
      for (const name of ['bash', 'edit', 'custom']) {
        await panel.screenshot(`asks-${name}-${theme}`);
        await becomes(() => panel.page.locator('.asks').evaluate(element => element.scrollWidth), 300);
        await panel.page.locator('.ask').focus();
        await panel.page.keyboard.press('ArrowRight');
        await panel.settled();
      }
    });
  }
});
