import assert from 'node:assert/strict';
import type { Ask } from '../../src/shared/session/sessionView';
import { manyRows, toolRow, viewOf } from './panelFixtures';
import { PanelPage } from './panelPage';

describe('webview/session/asks', function () {
  this.timeout(30_000);
  let panel: PanelPage;
  afterEach(() => panel.end());

  it('allows by its button, with the id that was listed', async () => {
    await show([bash]);
    await button('Allow').click();
    const [confirm, ...more] = await panel.posted('confirm');
    assert.deepEqual(confirm, { type: 'confirm', clientId: confirm?.clientId, eventId: 'sevt_ask', result: 'allow' });
    assert.deepEqual(more, []);
    await panel.page.getByText('Answering…').waitFor();
    assert.equal(await button('Allow').count(), 0);
    await panel.post({ type: 'sendResult', clientId: confirm?.clientId ?? '', ok: true });
    await panel.page.getByText('Answered. The session goes on soon.').waitFor();
    await amend([]);
    assert.equal(await panel.page.locator('.asks').count(), 0);
  });

  it('gives the buttons back with the reason when an answer was not sent', async () => {
    await show([bash]);
    await button('Deny').click();
    const [confirm] = await panel.posted('confirm');
    assert.equal(confirm?.result, 'deny');
    await panel.post({ type: 'sendResult', clientId: confirm?.clientId ?? '', ok: false, problem: '409 from 127.0.0.1: already answered' });
    await panel.page.getByText('409 from 127.0.0.1: already answered').waitFor();
    await button('Allow').click();
    assert.deepEqual(
      (await panel.posted('confirm')).map(({ result }) => result),
      ['deny', 'allow'],
    );
  });

  it('can be answered again when an answer changed nothing', async () => {
    await show([bash]);
    await button('Allow').click();
    const [confirm] = await panel.posted('confirm');
    await panel.post({ type: 'sendResult', clientId: confirm?.clientId ?? '', ok: true });
    await amend([{ ...bash, answering: true }]);
    await amend([bash]);
    await panel.page.getByText('The answer changed nothing: the session still waits.').waitFor();
    await button('Allow').waitFor();
  });

  it('takes no key that was not meant for it', async () => {
    await show([]);
    const composer = panel.page.getByRole('textbox', { name: 'Message to the agent' });
    await composer.click();
    await amend([bash]);
    await settled();
    await panel.page.keyboard.type('add');
    assert.equal(await composer.inputValue(), 'add');
    await composer.blur();
    for (const key of ['Enter', 'a', 'd', 'Space']) {
      await panel.page.keyboard.press(key);
    }
    await panel.page.locator('.ask').focus();
    for (const key of ['Enter', 'Space', 'Control+a', 'Alt+a', 'Shift+A']) {
      await panel.page.keyboard.press(key);
    }
    assert.deepEqual(await panel.posted('confirm'), []);
  });

  it('allows and denies by keys when the card itself has the focus', async () => {
    await show([bash]);
    await settled();
    await panel.page.locator('.ask').focus();
    await panel.page.keyboard.press('a');
    await amend([{ ...bash, eventId: 'sevt_other' }]);
    await settled();
    await panel.page.locator('.ask').focus();
    await panel.page.keyboard.press('d');
    assert.deepEqual(
      (await panel.posted('confirm')).map(({ eventId, result }) => [eventId, result]),
      [
        ['sevt_ask', 'allow'],
        ['sevt_other', 'deny'],
      ],
    );
  });

  it('takes no answer in the first moment, and leaves the keyboard on no next card', async () => {
    await show([bash, { ...bash, eventId: 'sevt_next' }]);
    await settled();
    await panel.page.locator('.ask').focus();
    await panel.page.keyboard.press('a');
    await amend([{ ...bash, eventId: 'sevt_next' }]);
    await panel.page.keyboard.press('a');
    assert.equal(await button('Allow').isDisabled(), true);
    assert.equal(await focused(), 'Waits for You');
    assert.equal((await panel.posted('confirm')).length, 1);
  });

  it('denies with a reason, which a failed answer keeps', async () => {
    await show([bash]);
    await button('Deny with Reason…').click();
    const reason = panel.page.getByRole('textbox', { name: 'Reason, for the agent to read' });
    assert.equal(await button('Deny with This Reason').isDisabled(), true);
    await panel.page.keyboard.type('Use the\nstaging host');
    assert.equal(await reason.inputValue(), 'Use the\nstaging host');
    await panel.page.keyboard.press('Control+Enter');
    const [confirm] = await panel.posted('confirm');
    assert.equal(confirm?.denyMessage, 'Use the\nstaging host');
    assert.equal(confirm?.result, 'deny');
    await panel.post({ type: 'sendResult', clientId: confirm?.clientId ?? '', ok: false, problem: '500' });
    assert.equal(await reason.inputValue(), 'Use the\nstaging host');
    await reason.press('Escape');
    assert.equal(await reason.count(), 0);
    assert.match(await focused(), /May bash be used/);
    // What follows the key at once is the reason, and no other answer.
    await panel.page.keyboard.type('radad');
    assert.equal(await reason.inputValue(), 'Use the\nstaging hostadad');
    assert.equal((await panel.posted('confirm')).length, 1);
  });

  it('allows only what is here as a whole', async () => {
    await show([{ ...bash, input: { type: 'json', text: '{"command":"ls', cut: 2_000_000 } }]);
    await panel.page.getByText('This is the beginning of 2 MB').waitFor();
    assert.deepEqual(await panel.posted('loadPart'), []);
    await settled();
    assert.equal(await button('Allow').isDisabled(), true);
    await panel.page.locator('.ask').focus();
    await panel.page.keyboard.press('a');
    assert.deepEqual(await panel.posted('confirm'), []);
    await panel.screenshot('asks-cut');
    await button('Load All').click();
    assert.deepEqual(await panel.posted('loadPart'), [{ type: 'loadPart', thread: '', key: 'sevt_ask', path: 'ask' }]);
    const part = { type: 'part', thread: '', key: 'sevt_ask', path: 'ask' } as const;
    await panel.post({ ...part, text: '', problem: 'not found' });
    await panel.page.getByText('The arguments could not be loaded: not found').waitFor();
    assert.equal(await button('Allow').isDisabled(), true);
    await button('Try Again').click();
    await panel.post({ ...part, text: '{"command":"ls -la"}' });
    await panel.page.getByText('ls -la').waitFor();
    await button('Allow').click();
    assert.equal((await panel.posted('confirm')).length, 1);
  });

  it('loads again what has changed since it was loaded', async () => {
    const cut = (text: string): Ask => ({ ...bash, input: { type: 'json', text, cut: 5000 } });
    const part = { type: 'part', thread: '', key: 'sevt_ask', path: 'ask' } as const;
    await show([cut('{"command":"ls')]);
    await panel.post({ ...part, text: '{"command":"ls -la"}' });
    await panel.page.getByText('ls -la').waitFor();
    await amend([cut('{"command":"rm')]);
    await panel.page.getByText('This is the beginning of 5 KB').waitFor();
    assert.equal(await button('Allow').isDisabled(), true);
    assert.equal((await panel.posted('loadPart')).length, 2);
    await panel.post({ ...part, text: '{"command":"rm -rf build"}' });
    await panel.page.getByText('rm -rf build').waitFor();
    assert.equal(await panel.page.getByText('ls -la').count(), 0);
    await button('Allow').click();
    assert.equal((await panel.posted('confirm')).length, 1);
  });

  it('loads by itself what is not long, and what is not in the log', async () => {
    await show([
      { ...bash, input: { type: 'json', text: '', cut: 1 } },
      { ...bash, eventId: 'sevt_2', input: { type: 'json', text: '{', cut: 5000 } },
    ]);
    await panel.page.getByText('The arguments are not here yet.').waitFor();
    await button('Next That Waits').click();
    await panel.page.getByText('This is the beginning of 5 KB').waitFor();
    await settled();
    assert.deepEqual(
      (await panel.posted('loadPart')).map(({ key }) => key),
      ['sevt_ask', 'sevt_2'],
    );
  });

  it('shows all of 10 MB in one line, with a bounded page', async function () {
    this.timeout(90_000);
    await show([{ ...bash, tool: 'x', input: { type: 'json', text: '{', cut: 10_000_000 } }]);
    await panel.post({
      type: 'part',
      thread: '',
      key: 'sevt_ask',
      path: 'ask',
      text: `{"a":"${'word\u202e '.repeat(1_600_000)}the very end"}`,
    });
    await panel.drawn();
    await panel.page.getByText('More below').waitFor();
    await panel.page.waitForFunction(() => {
      const box = document.querySelector('.ask-arguments');
      // What is drawn near the end changes how long it all is.
      box?.scrollTo(0, box.scrollHeight);
      return box?.textContent.includes('the very end') === true && document.querySelector('.ask-more') === null;
    });
    assert.ok((await panel.page.locator('.ask-chunk').count()) < 60);
    await button('Allow').waitFor();
  });

  it('shows what cannot be seen, and what a change of a file changes', async () => {
    await show([
      { ...bash, input: json({ command: 'echo safe\u202e\u200b\u001b[8m; rm -rf /' }) },
      { ...bash, eventId: 'sevt_2', tool: 'edit', input: json({ file_path: '/a.md', old_string: 'one\ntwo', new_string: 'one\nthree' }) },
    ]);
    const shown = await panel.page.locator('.ask-code').first().innerText();
    for (const name of ['202E', '200B', 'ESC']) {
      assert.ok(shown.includes(name), shown);
    }
    assert.ok(!shown.includes('\u202e'));
    await button('Next That Waits').click();
    assert.deepEqual(
      await panel.page.locator('.ask-line').allInnerTexts(),
      ['one', '-\nRemoved:\ntwo', '+\nAdded:\nthree'].map(text => text),
    );
    await button('As JSON').click();
    await panel.page.getByText('"old_string"').waitFor();
  });

  it('lists several, of all threads, and steps through them', async () => {
    await show([bash, { ...bash, eventId: 'sevt_2', tool: 'write', thread: 'thread_2', threadName: 'Link checker' }, custom]);
    await panel.page.getByText('1 of 3').waitFor();
    await panel.page.locator('.asks-item', { hasText: 'write' }).click();
    await panel.page.getByText('Thread Link checker').waitFor();
    await panel.page.locator('.ask').focus();
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.getByText('pick_colour of tracker waits for its result').waitFor();
    assert.match(await focused(), /pick_colour/);
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.getByText('1 of 3').waitFor();
    await panel.screenshot('asks-several');
  });

  it('opens the arguments in an editor, and goes to the call in the timeline', async () => {
    panel = await PanelPage.open();
    await panel.show([toolRow(1, { key: 'sevt_call', state: 'waiting' }), ...manyRows(100, 2)], { view: viewOf({ asks: [bash] }) });
    await button('Open in Editor').click();
    assert.deepEqual(await panel.posted('openPart'), [{ type: 'openPart', thread: '', key: 'sevt_ask', path: 'ask' }]);
    await button('Show in Timeline').click();
    await panel.page.locator('.timeline :focus', { hasText: 'ls -la' }).first().waitFor();
  });

  it('says aloud what has begun to wait', async () => {
    await show([]);
    await amend([bash]);
    await panel.page.locator('[aria-live]', { hasText: 'Waits for you: May bash be used?' }).first().waitFor({ state: 'attached' });
  });

  it('sends the result of a custom tool as it was written', async () => {
    await show([custom]);
    const field = panel.page.getByRole('textbox', { name: 'Result' });
    assert.equal(await button('Send Result').isDisabled(), true);
    await field.fill('{"colour": }');
    await panel.page.getByText('This begins like JSON and is none: see line 1, column 12.').waitFor();
    await settled();
    assert.equal(await button('Send as Text').isEnabled(), true);
    await field.fill('{"colour": "red"}');
    await panel.page.getByText('Valid JSON').waitFor();
    await panel.page.getByRole('checkbox').check();
    await button('Send Error').click();
    const [sent] = await panel.posted('customResult');
    assert.deepEqual(sent, {
      ...{ type: 'customResult', clientId: sent?.clientId, eventId: 'sevt_custom' },
      ...{ text: '{"colour": "red"}', isError: true },
    });
  });

  it('sends a file, and takes it calmly when none was chosen', async () => {
    await show([custom]);
    const field = panel.page.getByRole('textbox', { name: 'Result' });
    await field.fill('begun');
    await button('From File…').click();
    await panel.page.getByText('Choose a file…').waitFor();
    const [sent] = await panel.posted('customResultFromFile');
    await panel.post({ type: 'sendResult', clientId: sent?.clientId ?? '', ok: false });
    assert.equal(await field.inputValue(), 'begun');
    assert.equal(await panel.page.locator('.ask [role=alert]').count(), 0);
  });

  it('keeps what was begun over a reload, until it was sent', async () => {
    await show([custom]);
    await panel.page.getByRole('textbox', { name: 'Result' }).fill('begun');
    const kept = await panel.kept();
    await panel.close();
    panel = await PanelPage.open({ kept });
    await panel.show([], { view: viewOf({ asks: [custom] }) });
    assert.equal(await panel.page.getByRole('textbox', { name: 'Result' }).inputValue(), 'begun');
    await button('Send Result').click();
    const [sent] = await panel.posted('customResult');
    await panel.post({ type: 'sendResult', clientId: sent?.clientId ?? '', ok: true });
    await panel.drawn();
    assert.ok(!JSON.stringify(await panel.kept()).includes('begun'));
  });

  it('takes the keyboard when the host says so, before the one that is meant and on nothing that answers', async () => {
    await show([bash, { ...bash, eventId: 'sevt_meant', tool: 'write' }]);
    await settled();
    await panel.post({ type: 'focus', target: 'ask', eventId: 'sevt_meant' });
    await panel.drawn();
    await panel.page.getByRole('heading', { name: 'May write be used?' }).waitFor();
    assert.equal(await focused(), 'Waits for You');
    await settled();
    for (const key of ['a', 'd', 'Enter', 'Space']) {
      await panel.page.keyboard.press(key);
    }
    assert.deepEqual(await panel.posted('confirm'), []);
  });

  it('takes no answers in an exported file', async () => {
    panel = await PanelPage.open();
    await panel.show([], { view: viewOf({ asks: [bash] }), canWrite: false, isReplay: true, connection: { name: 'offlineFile' } });
    await panel.page.getByText('It cannot be answered from here.').waitFor();
    assert.equal(await button('Allow').count(), 0);
  });

  for (const theme of ['dark', 'light', 'highContrast', 'highContrastLight'] as const) {
    it(`can be looked at in ${theme}, also in a narrow panel`, async () => {
      panel = await PanelPage.open({ theme, width: 300, height: 800 });
      const edit = json({
        file_path: '/workspace/a/long/path/to/notes.md',
        old_string: 'one\n\ttwo\nthree',
        new_string: 'one\n\tTWO\nthree\nfour',
        all: true,
      });
      await panel.show([], {
        view: viewOf({ state: 'waiting', asks: [bash, { ...bash, eventId: 'e', tool: 'edit', input: edit }, custom] }),
      });
      await settled();
      for (const name of ['bash', 'edit', 'custom']) {
        await panel.screenshot(`asks-${name}-${theme}`);
        assert.equal(await panel.page.locator('.asks').evaluate(element => element.scrollWidth), 300);
        await panel.page.locator('.ask').focus();
        await panel.page.keyboard.press('ArrowRight');
        await settled();
      }
    });
  }

  async function show(asks: readonly Ask[]): Promise<void> {
    panel = await PanelPage.open();
    await panel.show([], { view: viewOf({ asks }) });
  }

  async function amend(asks: readonly Ask[]): Promise<void> {
    await panel.post({ type: 'amend', thread: '', splices: [], view: viewOf({ asks }) });
    await panel.drawn();
  }

  /** Waits until the card that is shown can be answered. */
  async function settled(): Promise<void> {
    await panel.page.locator('.ask-buttons button:enabled, .ask input:enabled').first().waitFor();
    await panel.page.waitForFunction(
      () => ![...document.querySelectorAll('.ask-buttons button')].every(one => (one as HTMLButtonElement).disabled),
    );
  }

  function button(name: string) {
    return panel.page.getByRole('button', { name, exact: true });
  }

  async function focused(): Promise<string> {
    return await panel.page.evaluate(() => document.activeElement?.textContent ?? '');
  }
});

function json(value: unknown): Ask['input'] {
  return { type: 'json', text: JSON.stringify(value, null, 2) };
}

const bash: Ask = {
  eventId: 'sevt_ask',
  kind: 'confirmation',
  rowKey: 'sevt_call',
  tool: 'bash',
  input: json({ command: 'git push origin main\nnpm publish', timeout: 60 }),
  at: Date.UTC(2026, 0, 5, 9, 31),
};

const custom: Ask = {
  eventId: 'sevt_custom',
  kind: 'customTool',
  rowKey: 'sevt_custom',
  tool: 'pick_colour',
  server: 'tracker',
  input: json({ of: 'the header', among: ['red', 'green'] }),
  at: undefined,
};
