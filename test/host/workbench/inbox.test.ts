import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { ServedSessions } from './servedSessions';
import { useWorkbench } from './workbench';

const key = 'local-test-key-0031';

describe('the inbox', () => {
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const sessions = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({ settings: connectedTo(emulator()) }));
  before('give the key', () => workbench().setKey(key));

  const card = (frame: Frame, words: string): Locator => frame.locator('article.ask', { hasText: words });
  const inbox = async (words: string): Promise<Frame> => await workbench().webview(`main.inbox article.ask:has-text("${words}"):focus`);
  const verdicts = async (id: string) => (await sessions.events(id, 'user.tool_confirmation')).map(({ result }) => result);

  /** Presses a key on the card that says this and has the keyboard by itself; settles when what it brings is there. */
  async function press(frame: Frame, words: string, letter: string, effect: Locator): Promise<void> {
    await card(frame, words).and(frame.locator(':focus')).waitFor();
    // What has just come cannot be answered yet.
    if ('adr'.includes(letter)) {
      await card(frame, words).getByRole('button', { name: 'Deny', exact: true, disabled: false }).waitFor();
    }
    await workbench().untilSeen(effect, timeout => card(frame, words).press(letter, { timeout }));
  }

  it('is answered by keyboard alone, one after the other, over a reload and with another who answers too', async () => {
    const ids: string[] = [];
    for (const words of ['one', 'two', 'three', 'four']) {
      ids.push((await sessions.create(`Job ${words}`, `ask make ${words}`, 'Careful Operator')).id);
    }
    const [one = '', two = '', three = '', four = ''] = ids;
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Sessions');
    await workbench().command('managedAgents.sessions.refresh');
    const need = workbench().page.getByRole('treeitem', { name: /^Asks for bash: make one, Careful Operator, Job one/ });
    await need.waitFor();
    await workbench().pictures('inbox-needs');
    await workbench().click(need, '.tab.active[aria-label*="Inbox"]');
    let frame = await inbox('make one');
    await workbench().pictures('inbox');
    await press(frame, 'make one', 'a', card(frame, 'make two'));
    assert.deepEqual(await verdicts(one), ['allow']);
    await press(frame, 'make two', 'n', card(frame, 'make three'));

    const reason = frame.getByRole('textbox', { name: 'Reason, for the agent to read' });
    await press(frame, 'make three', 'r', reason);
    await workbench().untilDone(timeout => reason.fill('not before lunch', { timeout }));
    // Which one is on the card is written down with it.
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
    await press(frame, 'make four', 'a', frame.getByText('Nothing waits for you.').first());
    assert.deepEqual(await Promise.all([one, two, three, four].map(verdicts)), [['allow'], ['allow'], ['deny'], ['allow']]);
    await workbench().screenshot('inbox-empty');
  });
});
