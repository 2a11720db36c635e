import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { ServedSessions } from './servedSessions';
import { useWorkbench } from './workbench';

const key = 'local-test-key-0031';

describe('the inbox @ci', () => {
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const sessions = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({ settings: connectedTo(emulator()) }));
  before('give the key', () => workbench().setKey(key));

  const card = (frame: Frame, words: string): Locator => frame.locator('article.ask', { hasText: words });
  const inbox = async (words: string): Promise<Frame> => await workbench().webview(`main.inbox article.ask:has-text("${words}"):focus`);
  const verdicts = async (id: string) => (await sessions.events(id, 'user.tool_confirmation')).map(({ result }) => result);

  /** Presses a key on the focused card with these words, until `effect` is visible. */
  async function press(frame: Frame, words: string, letter: string, effect: Locator): Promise<void> {
    await card(frame, words).and(frame.locator(':focus')).waitFor();
    // A new card can't be answered for a moment.
    if ('adr'.includes(letter)) {
      await card(frame, words).getByRole('button', { name: 'Deny (D)', exact: true, disabled: false }).waitFor();
    }
    await workbench().untilSeen(effect, timeout => card(frame, words).press(letter, { timeout }));
  }

  it('is answered by keyboard alone, across a reload and with another user', async () => {
    const ids: string[] = [];
    for (const words of ['one', 'two', 'three', 'four']) {
      ids.push((await sessions.create(`Job ${words}`, `ask make ${words}`, 'Careful Operator')).id);
    }
    const [one = '', two = '', three = '', four = ''] = ids;
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Sessions');
    await workbench().command('managedAgents.refresh');
    const need = workbench().page.getByRole('treeitem', { name: /^Needs approval, Job one, bash make one, .*Careful Operator/ });
    await need.waitFor();
    await workbench().screenshot('inbox-needs');
    await workbench().runCommand('Managed Agents: Open Inbox (Approve, Answer)', '.tab.active[aria-label*="Inbox"]');
    let frame = await inbox('make one');
    await workbench().screenshot('inbox');
    await press(frame, 'make one', 'a', card(frame, 'make two'));
    assert.deepEqual(await verdicts(one), ['allow']);
    await press(frame, 'make two', 'n', card(frame, 'make three'));

    const reason = frame.getByRole('textbox', { name: 'Reason (sent to agent)' });
    await press(frame, 'make three', 'r', reason);
    await workbench().untilDone(timeout => reason.fill('not before lunch', { timeout }));
    // The panel's state has this text and the id of the item on the card.
    await workbench().writtenDown('not before lunch');
    await workbench().reloadWindow();
    frame = await inbox('make three');
    await press(frame, 'make three', 'd', card(frame, 'make four'));
    assert.deepEqual(await verdicts(three), ['deny']);

    const [asked] = (await sessions.events(two, 'agent.tool_use')).filter(event => event.evaluated_permission === 'ask');
    await workbench().click(frame.locator('.inbox-item', { hasText: 'Job two' }), card(frame, 'make two').and(frame.locator(':focus')));
    await sessions.send(two, { type: 'user.tool_confirmation', tool_use_id: asked?.id, result: 'allow' });
    await frame.getByText('It was answered elsewhere.').first().waitFor();
    await workbench().screenshot('inbox-answered-elsewhere');
    await press(frame, 'It was answered elsewhere.', 'n', card(frame, 'make four'));
    await press(frame, 'make four', 'a', frame.getByText('Nothing needs you.').first());
    assert.deepEqual(await Promise.all([one, two, three, four].map(verdicts)), [['allow'], ['allow'], ['deny'], ['allow']]);
    await workbench().screenshot('inbox-empty');
    // Without a rule, the extension records no requests and no decisions.
    assert.equal(existsSync(path.join(workbench().globalStorage, 'approvalRules')), false);
  });

  it('is the same in two windows: what is answered, archived or deleted in one disappears in the other', async () => {
    const ids: string[] = [];
    for (const words of ['five', 'six', 'seven']) {
      ids.push((await sessions.create(`Job ${words}`, `ask make ${words}`, 'Careful Operator')).id);
    }
    const [five = '', six = '', seven = ''] = ids;
    const question = await sessions.create('Job eight', 'question');
    await workbench().command('managedAgents.refresh');
    await workbench().page.getByRole('treeitem', { name: 'Needs You, 4' }).waitFor();
    await workbench().runCommand('Managed Agents: Open Inbox (Approve, Answer)', '.tab.active[aria-label*="Inbox"]');
    const frame = await inbox('make five');
    await workbench().beside(async other => {
      await other.runCommand('Managed Agents: Open Inbox (Approve, Answer)', '.tab.active[aria-label*="Inbox"]');
      const theirs = await other.webview('main.inbox article.ask:has-text("make five"):focus');
      await theirs.getByText('3 waiting · questions: 1').first().waitFor();
      await press(frame, 'make five', 'a', card(frame, 'make six'));
      await theirs.getByText('It was answered elsewhere.').first().waitFor();
      await other.screenshot('inbox-second-window');
      await other.untilSeen(card(theirs, 'make six').and(theirs.locator(':focus')), timeout =>
        card(theirs, 'It was answered elsewhere.').press('n', { timeout }),
      );
      await client().sessions.delete(six);
      for (const each of [frame, theirs]) {
        await each.getByText('The session was deleted.').first().waitFor();
      }
      await press(frame, 'The session was deleted.', 'n', card(frame, 'make seven'));
      await sessions.send(seven, { type: 'user.interrupt' });
      await client().sessions.archive(seven);
      await frame.getByText('This session is archived.').first().waitFor();
      // The other window reads the state of the remaining sessions only when it shows their cards.
      const asked = card(theirs, 'Researcher asked a question');
      await other.untilSeen(asked.and(theirs.locator(':focus')), async timeout => {
        await theirs.locator('article.ask:focus').press('n', { timeout });
      });
      await asked.getByText('Before I go on').waitFor();
      await other.screenshot('inbox-question');
      const answer = asked.getByRole('textbox', { name: 'Reply' });
      await other.untilSeen(answer.and(theirs.locator(':focus')), timeout => asked.press('r', { timeout }));
      await other.page.keyboard.type('main');
      await other.untilSeen(theirs.getByText('Nothing needs you.').first(), timeout => answer.press('Control+Enter', { timeout }));
      await press(
        frame,
        'This session is archived.',
        'n',
        frame.getByText('It was answered elsewhere.').or(frame.getByText('Nothing needs you.')).first(),
      );
      // The list of sessions agrees with the inbox.
      await workbench().waitForNone('.pane-body .monaco-list-row:has-text("Needs You")');
    });
    assert.deepEqual(await verdicts(five), ['allow']);
    const said = await sessions.events(question.id, 'user.message');
    assert.deepEqual(said.at(-1)?.content, [{ type: 'text', text: 'main' }]);
  });
});
