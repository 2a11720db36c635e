import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { eventuallyHolds } from '../eventually';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { ServedSessions } from './servedSessions';
import { SessionPanels } from './sessionPanels';
import { useWorkbench } from './workbench';

const key = 'local-test-key-0046';
const count = 300;

describe('three hundred sessions', function () {
  // Each test goes on with what the one before left.
  this.bail(true);
  const ids = new Map<string, string>();
  const id = (name: string): string => ids.get(name) ?? '';
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const sessions = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({ settings: connectedTo(emulator()) }));
  const panels = new SessionPanels(workbench);
  before('give the key', () => workbench().setKey(key));

  const item = (name: RegExp): Locator => workbench().page.getByRole('treeitem', { name }).first();
  const card = (frame: Frame, words: string): Locator => frame.locator('article.ask', { hasText: words });
  const inbox = async (words: string): Promise<Frame> => await workbench().webview(`main.inbox article.ask:has-text("${words}"):focus`);
  const badge = async (words: string): Promise<void> => {
    await workbench()
      .page.locator('.activitybar .badge-content', { hasText: new RegExp(`^${words}$`) })
      .first()
      .waitFor();
  };
  /** The group of the list, the inbox above it, and the badge say that so many wait. */
  const waits = async (number: number): Promise<void> => {
    await badge(String(number));
    await item(new RegExp(`^Waiting for You, ${number}(?!\\d| of)`)).waitFor();
    await item(new RegExp(`^Inbox, ${number}(?!\\d)`)).waitFor();
  };
  const given = async (id: string): Promise<readonly unknown[]> =>
    (await sessions.events(id, 'user.tool_confirmation', 'user.custom_tool_result')).map(event => [
      event.result ?? event.content,
      ...(event.deny_message === undefined ? [] : [event.deny_message]),
    ]);

  /** Types on the card that says this and has the keyboard by itself, once it can be answered; settles when what that brings is there. */
  async function press(frame: Frame, words: string, letter: string, effect: Locator): Promise<void> {
    await card(frame, words).and(frame.locator(':focus')).waitFor();
    await card(frame, words).getByRole('button', { name: 'Deny', exact: true, disabled: false }).waitFor();
    await workbench().untilSeen(effect, timeout => card(frame, words).press(letter, { timeout }));
  }

  /** Sends the result of a custom tool, with the keyboard alone. */
  async function answerInWords(frame: Frame, words: string, text: string, effect: Locator): Promise<void> {
    const result = card(frame, words).getByRole('textbox', { name: 'Result' });
    await card(frame, words).and(frame.locator(':focus')).waitFor();
    await workbench().untilSeen(result.and(frame.locator(':focus')), timeout => card(frame, words).press('r', { timeout }));
    await workbench().page.keyboard.type(text);
    await workbench().untilSeen(effect, timeout => result.press('Control+Enter', { timeout }));
  }

  it('of which seven wait on several pages: all of them are found, and until then it is said of how many it is known', async () => {
    const begin = async (name: string, words: string, agent: string): Promise<void> => {
      ids.set(name, (await sessions.create(`Job ${name}`, words, agent)).id);
    };
    const rest = async (until: number): Promise<void> => {
      while (ids.size < until) {
        ids.set(`${ids.size}`, (await sessions.create(`Rests ${ids.size}`)).id);
      }
    };
    await begin('one', 'ask make one', 'Careful Operator');
    await begin('two', 'ask make two', 'Careful Operator');
    await begin('gone', 'ask make gone', 'Careful Operator');
    await rest(120);
    await begin('three', 'ask make three', 'Careful Operator');
    await begin('put away', 'ask make archive', 'Careful Operator');
    await rest(240);
    await begin('four', 'price of tea', 'Shopkeeper');
    await begin('five', 'price of coffee', 'Shopkeeper');
    await rest(count);
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Sessions');
    await workbench().command('managedAgents.sessions.refresh');
    await workbench().waitFor('.pane-body .message:has-text("Finding out what waits")');
    await workbench().pictures('many-sessions-finding');
    await waits(7);
    await workbench().waitForNone('.pane-body .message:has-text("Finding out what waits")');
    await workbench().pictures('many-sessions');
  });

  it('lets two of them be answered by keyboard alone, and two be taken away by another client', async () => {
    await workbench().runCommand('Managed Agents: Open Inbox', '.tab.active[aria-label*="Inbox"]');
    const frame = await inbox('make one');
    await frame.getByText('7 waiting for you').first().waitFor();
    await press(frame, 'make one', 'a', card(frame, 'make two').and(frame.locator(':focus')));
    // Another client takes two away meanwhile.
    await client().sessions.delete(id('gone'));
    await sessions.send(id('put away'), { type: 'user.interrupt' });
    await client().sessions.archive(id('put away'));
    await press(frame, 'make two', 'd', card(frame, 'make three').or(card(frame, 'make gone')).first());
    await workbench().command('managedAgents.sessions.refresh');
    await waits(3);
    await frame.getByText('3 waiting for you').first().waitFor();
  });

  it('finds those that waited first after a reload, and lets the next be answered with a reason and in words', async () => {
    await workbench().runCommand('Managed Agents: Open Inbox', '.tab.active[aria-label*="Inbox"]');
    let frame = await inbox('make three');
    const reason = frame.getByRole('textbox', { name: 'Reason, for the agent to read' });
    await press(frame, 'make three', 'r', reason.and(frame.locator(':focus')));
    await workbench().page.keyboard.type('not before lunch');
    await workbench().writtenDown('not before lunch');
    await workbench().reloadWindow();
    frame = await inbox('make three');
    await frame.getByText('3 waiting for you').first().waitFor();
    await workbench().screenshot('many-sessions-inbox');
    // What was begun is still there.
    const begun = frame.getByRole('textbox', { name: 'Reason, for the agent to read' });
    await press(frame, 'make three', 'r', begun.and(frame.locator(':focus')));
    await eventuallyHolds(async () => assert.equal(await begun.inputValue(), 'not before lunch'));
    const tea = card(frame, 'tea').and(frame.locator(':focus'));
    await workbench().untilSeen(tea, timeout => begun.press('Control+Enter', { timeout }));
    await answerInWords(frame, 'tea', '3.20 euros a pound', card(frame, 'coffee').and(frame.locator(':focus')));
    await item(/^Waiting for You, 1(?!\d)/).waitFor();
    await badge('1');
  });

  it('says the same of the last one in its panel, in the list, in the badge and in the inbox', async () => {
    // The panel of the last one says what list, badge and inbox say.
    const panel = await panels.open('Job five', id('five'));
    await panel.locator('article.ask', { hasText: 'get_price' }).first().waitFor();
    await item(/^Waiting for You, 1(?!\d)/).waitFor();
    await badge('1');
    await workbench().runCommand('Managed Agents: Open Inbox', '.tab.active[aria-label*="Inbox"]');
    const frame = await inbox('coffee');
    await answerInWords(frame, 'coffee', '{"price": 4.1}', frame.getByText('Nothing waits for you.').first());
    await item(/^Waiting for You/).waitFor({ state: 'hidden' });
    await workbench().waitForNone('.activitybar .badge-content:has-text("1")');
    const live = await panels.open('Job five', id('five'));
    await live.locator('article.ask').waitFor({ state: 'hidden' });

    assert.deepEqual(await Promise.all(['one', 'two', 'three', 'four', 'five'].map(name => given(id(name)))), [
      [['allow']],
      [['deny']],
      [['deny', 'not before lunch']],
      [[[{ type: 'text', text: '3.20 euros a pound' }]]],
      [[[{ type: 'text', text: '{"price": 4.1}' }]]],
    ]);
  });
});
