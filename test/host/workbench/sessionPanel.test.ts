import assert from 'node:assert/strict';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { eventuallyHolds } from '../eventually';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { ServedSessions } from './servedSessions';
import { SessionPanels } from './sessionPanels';
import { useWorkbench } from './workbench';

const key = 'local-test-key-0007';

describe('the session panel', () => {
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const sessions = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({ settings: connectedTo(emulator()), files: { 'price.json': '{"price": 3.2}\n' } }));
  const panels = new SessionPanels(workbench);
  before('give the key', () => workbench().setKey(key));

  const said = async (id: string, words: string) =>
    (await sessions.events(id, 'user.message')).filter(event => JSON.stringify(event).includes(words)).length;
  const composer = (frame: Frame) => frame.getByRole('textbox', { name: 'Message to the agent' });
  const button = (frame: Frame, name: string | RegExp) => frame.getByRole('button', { name, exact: typeof name === 'string' }).first();
  const text = (frame: Frame, words: string | RegExp) => frame.getByText(words).first();
  const live = (frame: Frame) => frame.getByText('Live', { exact: true }).first();

  /** Types words into the composer and sends them by Enter; settles when they have left it or are back. */
  async function send(frame: Frame, words: string): Promise<void> {
    const field = composer(frame);
    let isPressed = false;
    await workbench().untilDone(async timeout => {
      if (!isPressed || (await field.inputValue()) === words) {
        await field.fill(words, { timeout });
        isPressed = true;
        await field.press('Enter', { timeout });
      }
      await frame.locator('.composer-field:placeholder-shown, .composer-notice').first().waitFor({ timeout });
    });
  }

  it('opens, shows what was said, and what is said while it is open', async () => {
    const { id } = await sessions.create('Session talk', 'markdown');
    const frame = await panels.open('Session talk', id);
    await text(frame, 'Fermat').waitFor();
    await workbench().screenshot('session-panel-talk');
    await sessions.say(id, 'hello again');
    await text(frame, 'You wrote: "hello again"').waitFor();
    await workbench().screenshot('session-panel-live');
  });

  it('sends what is typed, once, and shows the answer', async () => {
    const { id } = await sessions.create('Session send');
    const frame = await panels.open('Session send', id);
    await send(frame, 'hello from the panel');
    await text(frame, 'You wrote: "hello from the panel"').waitFor();
    assert.equal(await said(id, 'hello from the panel'), 1);
    await eventuallyHolds(async () => assert.equal(await composer(frame).inputValue(), ''));
  });

  it('gives the words back when they could not be sent, and says why', async () => {
    const { id } = await sessions.create('Session refused');
    const frame = await panels.open('Session refused', id);
    emulator().setScenario({ faults: [{ name: 'serverError', route: 'sessions.events.send' }] });
    await send(frame, 'these words stay');
    await text(frame, /answered 500/).waitFor();
    await workbench().screenshot('session-panel-not-sent');
    await eventuallyHolds(async () => assert.equal(await composer(frame).inputValue(), 'these words stay'));
    assert.equal(await said(id, 'these words stay'), 0);
  });

  it('finds out by itself that words arrived though no answer came', async () => {
    const { id } = await sessions.create('Session unanswered');
    const frame = await panels.open('Session unanswered', id);
    emulator().setScenario({ faults: [{ name: 'lostReplyAfterCommit', route: 'sessions.events.send', times: 1 }] });
    await send(frame, 'hello without an answer');
    await text(frame, 'You wrote: "hello without an answer"').waitFor();
    assert.equal(await said(id, 'hello without an answer'), 1);
    await eventuallyHolds(async () => assert.equal(await composer(frame).inputValue(), ''));
  });

  it('misses nothing when the stream is cut', async () => {
    const { id } = await sessions.create('Session cut');
    const frame = await panels.open('Session cut', id);
    emulator().cutStreams();
    await sessions.say(id, 'said while nobody listened');
    await text(frame, 'You wrote: "said while nobody listened"').waitFor();
    await live(frame).waitFor();
  });

  it('allows what a tool asks, by the event that waits, once', async () => {
    const { id } = await sessions.create('Session allow', 'ask rm -rf build', 'Careful Operator');
    const frame = await panels.open('Session allow', id);
    const allow = button(frame, 'Allow');
    await allow.waitFor();
    await workbench().screenshot('session-panel-ask');
    await workbench().untilSeen(text(frame, 'emulated: nothing was run'), timeout => allow.dblclick({ timeout }));
    const [asked] = (await sessions.events(id, 'agent.tool_use')).filter(event => event.evaluated_permission === 'ask');
    const answers = await sessions.events(id, 'user.tool_confirmation');
    assert.deepEqual(
      answers.map(({ tool_use_id, result }) => [tool_use_id, result]),
      [[asked?.id, 'allow']],
    );
    await workbench().screenshot('session-panel-allowed');
  });

  it('denies with a reason that the agent reads', async () => {
    const { id } = await sessions.create('Session deny', 'ask rm -rf node_modules', 'Careful Operator');
    const frame = await panels.open('Session deny', id);
    const reason = frame.getByRole('textbox', { name: 'Reason, for the agent to read' });
    await workbench().click(button(frame, 'Deny with Reason…'), reason);
    const deny = frame.locator('button:enabled', { hasText: 'Deny with This Reason' });
    await workbench().untilSeen(deny, timeout => reason.fill('Keep the packages.', { timeout }));
    await workbench().screenshot('session-panel-deny');
    await workbench().click(deny, text(frame, 'I leave it as it is.'));
    const answers = await sessions.events(id, 'user.tool_confirmation');
    assert.deepEqual(
      answers.map(({ result, deny_message }) => [result, deny_message]),
      [['deny', 'Keep the packages.']],
    );
  });

  it('gives a custom tool a result from a file', async () => {
    const { id } = await sessions.create('Session shop', 'price of tea', 'Shopkeeper');
    const frame = await panels.open('Session shop', id);
    await workbench().click(button(frame, 'From File…'), '.quick-input-titlebar:has-text("Result of")');
    await workbench().chooseFile(`${workbench().folder}/`, path.join(workbench().folder, 'price.json'));
    await text(frame, /says .*3\.2.* for/).waitFor();
    const results = await sessions.events(id, 'user.custom_tool_result');
    assert.equal(results.length, 1);
    assert.match(JSON.stringify(results[0]?.content), /3\.2/);
    await workbench().screenshot('session-panel-custom');
  });

  it('shows the threads of sub-agents, each with its own log', async () => {
    const { id } = await sessions.create('Session delegate', 'delegate both look around');
    const frame = await panels.open('Session delegate', id);
    await text(frame, 'That is all.').waitFor();
    const tab = (number: number): Locator => frame.getByRole('tab').nth(number);
    await tab(2).waitFor();
    await workbench().click(tab(1), text(frame, 'TODO'));
    await workbench().screenshot('session-panel-thread');
    await workbench().click(tab(0), tab(0).and(frame.locator('[aria-selected="true"]')));
    await text(frame, 'That is all.').waitFor();
    await eventuallyHolds(async () => assert.equal(await text(frame, 'TODO').isVisible(), false));
  });

  it('opens an event as JSON', async () => {
    const { id } = await sessions.create('Session JSON', 'one of several');
    const frame = await panels.open('Session JSON', id);
    const row = frame.getByRole('article').filter({ hasText: 'You wrote: "one of several"' });
    const openAsJson = row.getByRole('button', { name: 'Open as JSON' });
    await workbench().click(row.getByText('You wrote: "one of several"'), openAsJson);
    await workbench().click(openAsJson, '.tab.active[aria-label*=".json"]');
    await workbench().waitFor('.editor-group-container.active .view-line:has-text(\'"type": "agent.message"\')');
    await workbench().screenshot('session-panel-raw');
  });

  it('asks before it opens a link, and names the host', async () => {
    const { id } = await sessions.create('Session link', 'markdown');
    const frame = await panels.open('Session link', id);
    await workbench().click(frame.getByRole('link', { name: 'link to the contract' }), '.monaco-dialog-box');
    const question = await workbench().dialogText();
    assert.match(question, /Open a link to example\.com that a model wrote\?/);
    assert.match(question, /https:\/\/example\.com\/contract/);
    await workbench().screenshot('session-panel-link');
    await workbench().dialogButton('Cancel');
  });

  it('lets nothing run or hide that an agent says', async () => {
    const { id } = await sessions.create('Session hostile');
    const frame = await panels.open('Session hostile', id);
    await sessions.say(id, 'hostile');
    await text(frame, '{{constructor.constructor("alert(1)")()}}').waitFor();
    assert.doesNotMatch(await workbench().page.title(), /owned/);
    assert.equal(await frame.locator('img, iframe, svg[onload]').count(), 0);
    await workbench().screenshot('session-panel-hostile');
  });

  it('comes back after the window was reloaded, with what was being written', async () => {
    const { id } = await sessions.create('Session reloaded', 'said before');
    const frame = await panels.open('Session reloaded', id);
    await workbench().untilDone(timeout => composer(frame).fill('an unfinished thought', { timeout }));
    await workbench().writtenDown('an unfinished thought');
    await workbench().reloadWindow();
    const again = await panels.live('Session reloaded');
    await text(again, 'You wrote: "said before"').waitFor({ state: 'attached' });
    await eventuallyHolds(async () => assert.equal(await composer(again).inputValue(), 'an unfinished thought'));
    await workbench().screenshot('session-panel-reloaded');
  });

  it('stays readable when the session is deleted, and says so', async () => {
    const { id } = await sessions.create('Session lost', 'hello');
    const frame = await panels.open('Session lost', id);
    await text(frame, 'You wrote: "hello"').waitFor();
    await client().sessions.delete(id);
    await text(frame, 'The session was deleted').waitFor();
    await text(frame, 'This session was deleted.').waitFor();
    await eventuallyHolds(async () => assert.ok(await text(frame, 'You wrote: "hello"').isVisible()));
    await workbench().pictures('session-panel-deleted');
  });

  it('leaves no stream behind when it is closed', async () => {
    const { id } = await sessions.create('Session closed');
    await panels.open('Session closed', id);
    assert.ok(emulator().openStreams >= 1);
    await workbench().closeEditors();
    await workbench().untilSo(() => emulator().openStreams === 0);
  });
});
