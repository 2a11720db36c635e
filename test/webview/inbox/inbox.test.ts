import assert from 'node:assert/strict';
import type { InboxEntry } from '../../../src/shared/inbox/inboxProtocol';
import { bash, custom, json } from '../asks/asksPage';
import { becomes, eventually } from '../eventually';
import { spokenTexts } from '../inPanel.mjs';
import { pictureThemes, usePages } from '../webviewPage';
import { asked, entry, InboxPage } from './inboxPage';

describe('webview/inbox', () => {
  usePages();
  const three = [entry('first'), entry('second'), entry('third')];

  it('shows the first ask with the focus on its card and no button armed, and answers by keys what was shown', async () => {
    const inbox = await InboxPage.with(three);
    await becomes(() => inbox.focusedHeading(), 'Allow first to run this?');
    await inbox.page.keyboard.press('a');
    await inbox.armed('Allow first to run this?');
    for (const key of ['Enter', 'Space']) {
      await inbox.page.keyboard.press(key);
    }
    await inbox.stays(() => inbox.verdicts(), []);
    await inbox.page.keyboard.press('a');
    await becomes(() => inbox.verdicts(), [['first', 'allow', 'print first']]);
    await becomes(async () => (await inbox.posted('shown')).map(({ id }) => id), ['first']);
  });

  it('shows the next ask after an answer, focused, with a delay before it can be answered, and announces it once', async () => {
    const inbox = await InboxPage.with(three);
    await inbox.page.evaluate(spokenTexts);
    await inbox.armed('Allow first to run this?');
    await inbox.page.keyboard.press('d');
    const { clientId } = await inbox.message('confirm');
    await inbox.post({ type: 'sendResult', clientId, ok: true });
    await inbox.show(three.slice(1));
    await becomes(() => inbox.focusedHeading(), 'Allow second to run this?');
    await inbox.page.keyboard.press('a');
    await inbox.says('Next: Allow second to run this? Careful Operator, Session of second');
    await becomes(() => inbox.verdicts(), [['first', 'deny', 'print first']]);
    await inbox.armed('Allow second to run this?');
    await inbox.page.keyboard.press('a');
    await becomes(async () => (await inbox.verdicts()).length, 2);
    assert.equal((await inbox.spoken()).split('Next:').length, 2);
  });

  it('keeps the shown ask when an older one arrives', async () => {
    const inbox = await InboxPage.with(three.slice(1));
    await inbox.armed('Allow second to run this?');
    await inbox.show(three);
    await inbox.stays(() => inbox.focusedHeading(), 'Allow second to run this?');
    await inbox.page.keyboard.press('a');
    await becomes(() => inbox.verdicts(), [['second', 'allow', 'print second']]);
  });

  it('keeps an ask that was answered elsewhere on screen, without buttons, until the user moves on', async () => {
    const inbox = await InboxPage.with(three);
    await inbox.page.evaluate(spokenTexts);
    await inbox.armed('Allow first to run this?');
    await inbox.show(three.slice(1), { left: [{ id: 'first', words: 'It no longer needs an answer.' }] });
    await becomes(() => inbox.focusedHeading(), 'Allow first to run this?');
    await inbox.says('It no longer needs an answer.');
    for (const key of ['a', 'd', 'r', 'Enter']) {
      await inbox.page.keyboard.press(key);
    }
    await inbox.stays(() => inbox.verdicts(), []);
    await inbox.page.keyboard.press('n');
    await inbox.armed('Allow second to run this?');
    await inbox.stays(() => inbox.posted('notNow'), []);
  });

  it('disarms a card whose ask has changed', async () => {
    const inbox = await InboxPage.with(three);
    await inbox.armed('Allow first to run this?');
    const changed: InboxEntry = {
      ...entry('first'),
      fingerprint: 'other',
      ask: { ...entry('first').ask, input: json({ command: 'rm -rf /' }) },
    };
    await inbox.show([changed, ...three.slice(1)]);
    await inbox.page.keyboard.press('a');
    await inbox.stays(() => inbox.verdicts(), []);
    await inbox.armed('Allow first to run this?');
    await inbox.page.keyboard.press('a');
    await becomes(() => inbox.verdicts(), [['first', 'allow', 'other']]);
  });

  it('defers an ask, and shows the next', async () => {
    const inbox = await InboxPage.with(three);
    await inbox.armed('Allow first to run this?');
    await inbox.page.keyboard.press('n');
    await becomes(async () => (await inbox.posted('notNow')).map(({ id }) => id), ['first']);
    await inbox.show([...three.slice(1), { ...entry('first'), isPostponed: true }]);
    await inbox.armed('Allow second to run this?');
    await inbox.page.locator('.inbox-item', { hasText: 'Not now' }).waitFor();
    await inbox.stays(() => inbox.verdicts(), []);
  });

  it("keeps the text of a reason that wasn't sent, with the error", async () => {
    const inbox = await InboxPage.with(three);
    await inbox.armed('Allow first to run this?');
    await inbox.page.keyboard.press('r');
    const reason = inbox.page.getByRole('textbox', { name: 'Reason (sent to agent)' });
    await inbox.page.keyboard.type('Use staging n');
    await becomes(() => reason.inputValue(), 'Use staging n');
    await inbox.page.keyboard.press('Control+Enter');
    const { clientId, denyMessage } = await inbox.message('confirm');
    assert.equal(denyMessage, 'Use staging n');
    await inbox.post({ type: 'sendResult', clientId, ok: false, problem: 'lab answered 500' });
    await inbox.page.getByText('lab answered 500').waitFor();
    await becomes(() => reason.inputValue(), 'Use staging n');
  });

  it('answers a custom tool in words, by keyboard alone', async () => {
    const inbox = await InboxPage.with([entry('tool', { ask: { ...custom, eventId: 'tool' } })]);
    await inbox.pass(500);
    await becomes(() => inbox.focusedHeading(), 'pick_colour of tracker needs a result');
    await inbox.page.keyboard.press('r');
    await inbox.page.keyboard.type('green');
    await becomes(() => inbox.page.getByRole('textbox', { name: 'Result' }).inputValue(), 'green');
    await inbox.page.keyboard.press('Tab');
    await inbox.page.keyboard.press('Tab');
    await inbox.page.keyboard.press('Enter');
    const { eventId, text } = await inbox.message('customResult');
    assert.deepEqual([eventId, text], ['tool', 'green']);
  });

  it('lists questions below asks, and answers them in words, by keyboard alone', async () => {
    const inbox = await InboxPage.open();
    await inbox.show(three.slice(0, 1), { questions: [asked('q1'), asked('q2')], newest: 200 });
    await inbox.page.getByText('1 waiting in the newest 200 sessions · questions: 2').waitFor();
    await inbox.armed('Allow first to run this?');
    await inbox.page.keyboard.press('a');
    const { clientId } = await inbox.message('confirm');
    await inbox.post({ type: 'sendResult', clientId, ok: true });
    await inbox.show([], { questions: [asked('q1'), asked('q2')] });
    await becomes(() => inbox.focusedHeading(), 'Researcher asked a question');
    await becomes(async () => (await inbox.posted('shown')).map(({ id }) => id), ['first', 'q1']);
    await inbox.page.keyboard.press('r');
    const answer = inbox.page.getByRole('textbox', { name: 'Reply' });
    await inbox.page.keyboard.type('main, no');
    await becomes(() => answer.inputValue(), 'main, no');
    // A question can't be answered before it was read.
    await inbox.page.keyboard.press('Control+Enter');
    await inbox.stays(() => inbox.posted('reply'), []);
    await inbox.show([], { questions: [asked('q1', 'I looked.\n\nWhich branch?'), asked('q2')] });
    await inbox.page.getByText('Which branch?').waitFor();
    await inbox.page.keyboard.press('Control+Enter');
    const reply = await inbox.message('reply');
    assert.deepEqual([reply.id, reply.text], ['q1', 'main, no']);
    await inbox.post({ type: 'sendResult', clientId: reply.clientId, ok: false, problem: 'lab answered 500' });
    await inbox.page.getByText('lab answered 500').waitFor();
    await becomes(() => answer.inputValue(), 'main, no');
    await inbox.page.keyboard.press('Escape');
    await becomes(() => inbox.focusedHeading(), 'Researcher asked a question');
    await inbox.page.keyboard.press('n');
    await becomes(async () => (await inbox.posted('notNow')).map(({ id }) => id), ['q1']);
    await inbox.show([], { questions: [asked('q2')] });
    await inbox.page.getByText('Session of q2').first().waitFor();
  });

  it('shows a question by itself only when no ask is open', async () => {
    const inbox = await InboxPage.open();
    await inbox.show([], { questions: [asked('q1')], isRead: false });
    await inbox.page.getByText('Loading…').first().waitFor();
    await inbox.show(three.slice(0, 1), { questions: [asked('q1')] });
    await inbox.armed('Allow first to run this?');
    // The last ask was answered, and the host is still looking for more.
    await inbox.show([], { questions: [asked('q1')], isRead: false });
    await inbox.page.getByText('Loading…').first().waitFor();
    await inbox.show([], { questions: [asked('q1')] });
    await becomes(() => inbox.focusedHeading(), 'Researcher asked a question');
  });

  it("says that it couldn't read asks, and not that there are none", async () => {
    const inbox = await InboxPage.open();
    await inbox.show([], { unread: ['The service does not respond.', 'It does not.'] });
    await inbox.page.getByText("Couldn't read sessions (2): The service does not respond.").waitFor();
    await inbox.stays(() => inbox.page.getByText('Nothing needs you.').count(), 0);
  });

  it('shows the first in order once everything was read, not the first read one, unless the user chose', async () => {
    const inbox = await InboxPage.open();
    await inbox.show(three.slice(1), { isRead: false });
    await inbox.stays(() => inbox.focusedHeading(), '');
    await inbox.show(three);
    await inbox.armed('Allow first to run this?');
    const other = await InboxPage.open();
    await other.show(three.slice(1), { isRead: false });
    await other.page.locator('.inbox-item', { hasText: 'third' }).click();
    await other.show(three);
    await other.armed('Allow third to run this?');
  });

  it('moves by arrow keys and by j and k, and stops at both ends', async () => {
    const inbox = await InboxPage.with(three);
    await inbox.armed('Allow first to run this?');
    for (const [key, heading] of [
      ['j', 'second'],
      ['ArrowDown', 'third'],
      ['j', 'third'],
      ['k', 'second'],
      ['ArrowUp', 'first'],
      ['ArrowUp', 'first'],
    ] as const) {
      await inbox.page.keyboard.press(key);
      await inbox.armed(`Allow ${heading} to run this?`);
    }
    await inbox.stays(() => inbox.verdicts(), []);
  });

  it("shows the task, the agent's last words as Markdown, and what can't be undone", async () => {
    const inbox = await InboxPage.with([
      entry('push', { isIrreversible: true, task: 'Release 2.0', said: 'Build passed. I will **push** now.' }),
      entry('test'),
    ]);
    await inbox.page.getByText('Release 2.0').waitFor();
    await becomes(() => inbox.page.locator('.inbox-words strong').textContent(), 'push');
    await inbox.page.getByText("This can't be undone.").waitFor();
    await inbox.page.getByRole('button', { name: /^push .*can't be undone/ }).waitFor();
  });

  it("doesn't wait for the previous answer", async () => {
    const inbox = await InboxPage.with(three.slice(0, 1));
    await inbox.armed('Allow first to run this?');
    await becomes(async () => (await inbox.kept()).shown, 'first');
    await inbox.page.keyboard.press('a');
    const { clientId } = await inbox.message('confirm');
    await inbox.post({ type: 'sendResult', clientId, ok: true });
    await inbox.show([]);
    await becomes(async () => (await inbox.kept()).shown, '');
    const again = await InboxPage.open({ kept: await inbox.kept() });
    await again.show(three.slice(1, 2));
    await again.armed('Allow second to run this?');
  });

  it('creates a rule from the card, and counts what rules answered', async () => {
    const inbox = await InboxPage.open();
    await inbox.show(three, { byRules: 2 });
    await inbox.button('2 decided by rules in the last 24 hours').click();
    await inbox.message('showRules');
    await inbox.button('Always Allow...').click();
    assert.deepEqual(await inbox.message('makeRule'), { type: 'makeRule', eventId: 'first' });
    const scope = 'Always allow bash `make` exactly, for Careful Operator, in Lab';
    const rules = [
      { id: 'r1', scope, trial: 'Matches 12 of your last 40 decisions, all allowed' },
      { id: 'r2', scope: scope.replace('allow', 'deny'), trial: '' },
    ];
    await inbox.post({ type: 'rules', eventId: 'first', rules });
    await becomes(() => inbox.page.evaluate(() => document.activeElement?.textContent), scope);
    await inbox.screenshot('inbox-rule');
    await inbox.page.keyboard.press('Tab');
    await inbox.page.keyboard.press('Enter');
    assert.deepEqual(await inbox.message('keepRule'), { type: 'keepRule', id: 'r1' });
    await becomes(() => inbox.focusedHeading(), 'Allow first to run this?');
    await becomes(() => inbox.page.getByText(scope).count(), 0);
  });

  const equals = ['one', 'two'].map(id => entry(id, { equalKey: 'same', tool: 'bash', title: `Job ${id}` }));

  it('allows asks with equal arguments with one click that names them, and focuses the next', async () => {
    const inbox = await InboxPage.with([...equals, entry('other', { equalKey: 'other' })]);
    await becomes(() => inbox.page.locator('.inbox-item', { hasText: '×2 identical' }).count(), 2);
    await inbox.armed('Allow bash to run this?');
    await inbox.page.getByText('Same call in: Job one · Job two').waitFor();
    await inbox.button('Allow These 2').focus();
    await inbox.page.keyboard.press('Enter');
    const { clientId, asks } = await inbox.message('allowEqual');
    assert.deepEqual(asks, [
      { id: 'one', shown: 'print one' },
      { id: 'two', shown: 'print two' },
    ]);
    await inbox.post({ type: 'sendResult', clientId, ok: true });
    await inbox.show([entry('other', { equalKey: 'other' })]);
    await becomes(() => inbox.focusedHeading(), 'Allow other to run this?');
    await inbox.page.keyboard.press('a');
    await inbox.stays(() => inbox.verdicts(), []);
  });

  it('groups only equal asks, and waits when another one joins', async () => {
    const inbox = await InboxPage.with([...equals.slice(0, 1), entry('other', { equalKey: 'other', tool: 'bash' })]);
    await inbox.armed('Allow bash to run this?');
    await becomes(() => inbox.button(/Allow These/).count(), 0);
    await inbox.show(equals);
    await becomes(() => inbox.button('Allow These 2').isDisabled(), true);
    await inbox.pass(500);
    await becomes(() => inbox.button('Allow These 2').isDisabled(), false);
  });

  it('allows no group before its arguments were scrolled to the end', async () => {
    const long = { ...bash, input: json({ command: Array.from({ length: 400 }, (_, line) => `echo ${line}`).join('\n') }) };
    const inbox = await InboxPage.with(['one', 'two'].map(id => entry(id, { equalKey: 'same', ask: { ...long, eventId: id } })));
    await inbox.armed('Allow bash to run this?');
    await inbox.stays(() => inbox.button('Allow These 2').isDisabled(), true);
    await inbox.page.locator('.ask-arguments').evaluate(box => box.scrollTo(0, box.scrollHeight));
    await becomes(() => inbox.button('Allow These 2').isDisabled(), false);
  });

  it('keeps the shown ask across a reload, and unfinished text', async () => {
    const inbox = await InboxPage.with(three);
    await inbox.page.locator('.inbox-item', { hasText: 'third' }).click();
    await eventually(async () => {
      await inbox.armed('Allow third to run this?');
      await inbox.page.keyboard.press('r');
      await inbox.page.getByRole('textbox').and(inbox.page.locator(':focus')).waitFor({ timeout: 1000 });
    });
    await inbox.page.keyboard.type('not yet');
    await becomes(async () => Object.values((await inbox.kept()).memory ?? {}), ['not yet']);
    const again = await InboxPage.open({ kept: await inbox.kept() });
    await again.show([]);
    await again.show(three.slice(0, 2), { isRead: false });
    await again.show(three);
    await again.armed('Allow third to run this?');
    await again.page.keyboard.press('r');
    await becomes(() => again.page.getByRole('textbox').inputValue(), 'not yet');
  });

  it('shows the ask that the host names, also in its first message', async () => {
    const inbox = await InboxPage.open();
    await inbox.show(three);
    await inbox.post({ type: 'show', id: 'second' });
    await inbox.armed('Allow second to run this?');
  });

  it('takes no focus from a VS Code dialog', async () => {
    const inbox = await InboxPage.open();
    await inbox.page.evaluate(() => {
      document.hasFocus = () => false;
    });
    await inbox.show(three);
    await inbox.stays(() => inbox.page.evaluate(() => document.activeElement?.tagName), 'BODY');
    await inbox.page.evaluate(() => window.dispatchEvent(new FocusEvent('focus')));
    await becomes(() => inbox.focusedHeading(), 'Allow first to run this?');
  });

  it('names its list and entries, and says which sessions are watched when nothing waits', async () => {
    const inbox = await InboxPage.with(three);
    const list = inbox.page.getByRole('navigation', { name: 'Needs you' }).getByRole('list');
    await becomes(() => list.getByRole('listitem').count(), 3);
    await inbox.page.getByRole('button', { name: /^second .*Careful Operator · Session of second/ }).waitFor();
    await inbox.show([]);
    await inbox.page.getByText('Nothing needs you.').first().waitFor();
    await inbox.page.getByText('Watching 24 sessions').waitFor();
  });

  for (const theme of pictureThemes) {
    it(`has pictures in ${theme}, wide and narrow`, async () => {
      const edit = json({ file_path: '/workspace/notes.md', old_string: 'one\ntwo', new_string: 'one\nTWO\nthree' });
      const entries = [
        entry('a', {
          ...{ equalKey: 'x', tool: 'bash', title: 'Clean the build', task: 'Make the build folder smaller', isIrreversible: true },
          said: 'The build passed. I will now **remove** `out/`:\n\n- 3 files',
          problem: 'lab answered 500: try again',
        }),
        entry('b', { ask: { ...bash, eventId: 'b', tool: 'edit', input: edit, threadName: 'Link checker', thread: 't' }, title: 'Docs' }),
        entry('c', { ask: { ...bash, eventId: 'c', input: json({ command: 'echo \u202egnp.exe\u200b | sh' }) }, title: 'Hidden \u202e' }),
        entry('d', { ask: { ...custom, eventId: 'd' }, isPostponed: true, title: 'Colours', agent: '' }),
        entry('e', { equalKey: 'x', tool: 'bash', title: 'Clean the other build' }),
      ];
      const inbox = await InboxPage.open({ theme });
      for (const width of [1440, 1024, 500]) {
        await inbox.page.setViewportSize({ width, height: 800 });
        await inbox.show(entries);
        for (const place of ['Clean the build', 'Docs', 'Hidden', 'Colours', 'Clean the other build']) {
          await inbox.page.locator('.inbox-item', { hasText: place }).first().click();
          await inbox.pass(600);
          await inbox.screenshot(`inbox-${place.toLowerCase().replaceAll(' ', '-')}-${theme}-${width}`);
          await becomes(() => inbox.page.evaluate(() => document.documentElement.scrollWidth), width);
        }
        await inbox.show(entries.slice(0, 4), { left: [{ id: 'e', words: 'This session is archived.' }] });
        await inbox.screenshot(`inbox-gone-${theme}-${width}`);
        const long = Array.from({ length: 30 }, (_, index) => `${index + 1}. Something that I looked at.`).join('\n');
        const questions = [asked('q1', `${long}\n\nWhich branch shall I take?`), asked('q2')];
        await inbox.show(entries.slice(0, 2), { questions, newest: 200 });
        await inbox.page.locator('.inbox-item', { hasText: 'Session of q1' }).click();
        await inbox.screenshot(`inbox-question-${theme}-${width}`);
        await becomes(() => inbox.page.evaluate(() => document.documentElement.scrollWidth), width);
        await inbox.show([]);
        await inbox.screenshot(`inbox-empty-${theme}-${width}`);
      }
    });
  }

  it('lists sessions that seem stuck below all others, with a message and an interrupt', async () => {
    const stuck = { kind: 'repeats', count: 3, what: 'bash npm test', episode: 'e' } as const;
    const inbox = await InboxPage.with(three.slice(0, 1), { width: 1024 });
    await inbox.show(three.slice(0, 1), { questions: [asked('question', 'Which?'), { ...asked('loop'), stuck }] });
    await becomes(
      async () =>
        (await inbox.page.locator('.inbox-nav').innerText()).replace(/\s+/g, ' ').includes('No progress Session of loop Researcher'),
      true,
    );
    await inbox.page.getByText('1 waiting · questions: 1 · 1 without progress').waitFor();
    await inbox.page.getByRole('button', { name: /Session of loop/ }).click();
    await becomes(() => inbox.focusedHeading(), 'Researcher makes no progress');
    await inbox.page.getByRole('paragraph').filter({ hasText: 'same call 3 times: bash npm test' }).waitFor();
    await inbox.screenshot('inbox-stuck');
    await inbox.page.keyboard.press('r');
    await inbox.page.keyboard.type('Skip the tests');
    await inbox.page.keyboard.press('Control+Enter');
    assert.equal((await inbox.message('reply')).text, 'Skip the tests');
    await inbox.button('Interrupt (I)').click();
    assert.equal((await inbox.message('interrupt')).id, 'loop');
  });
});
