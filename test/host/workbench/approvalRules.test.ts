import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, Questions } from './questions';
import { ServedSessions } from './servedSessions';
import { SessionPanels } from './sessionPanels';
import { useWorkbench } from './workbench';

const key = 'local-test-key-0021';

describe('rules for approvals, and sessions begun from what there is', () => {
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const sessions = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({ settings: connectedTo(emulator()) }));
  const panels = new SessionPanels(workbench);
  const questions = new Questions(workbench);
  before('give the key', () => workbench().setKey(key));

  const button = (frame: Frame, name: string) => frame.getByRole('button', { name, exact: true }).first();
  const answers = async (id: string) => (await sessions.events(id, 'user.tool_confirmation')).map(({ result }) => result);

  it('answer what they were made for once they were tried and switched on, and leave the rest to the user', async () => {
    const { id } = await sessions.create('Session rules', 'ask make clean', 'Careful Operator');
    const frame = await panels.open('Session rules', id);
    const what = 'What does the rule do?';
    const command = 'What must "command" be?';
    await workbench().click(button(frame, 'Make a Rule of This…'), asks(what));
    await questions.choose(what, 'Allow Always', asks(command));
    await workbench().screenshot('rules-pattern');
    await questions.choose(command, 'A Command That Begins with...', asks('Whole words'));
    await questions.write('Whole words', 'make', asks('For which agent?'));
    await questions.choose('For which agent?', 'This Agent', asks('Name of the rule'));
    await questions.write('Name of the rule', 'Make things', '.monaco-dialog-box');
    assert.match(await workbench().dialogText(), /Switch on the rule "Make things"\?.*one command that begins with make/s);
    await workbench().screenshot('rules-trial');
    assert.deepEqual(await answers(id), []);
    await workbench().dialogButton('Switch On');
    const shown = await panels.open('Session rules', id);
    await shown.getByText('allowed by rule "Make things"').first().waitFor();
    assert.deepEqual(await answers(id), ['allow']);
    await workbench().screenshot('rules-marked');
    await sessions.say(id, 'ask make clean; rm -rf /');
    await button(shown, 'Allow').waitFor();
    const off = '.notification-toast:has-text("is switched off. Its last answer cannot be taken back")';
    await workbench().runCommand('Managed Agents: Switch Off the Rule That Decided Last', off);
    await workbench().screenshot('rules-off');
    assert.deepEqual(await answers(id), ['allow']);
  });

  it('begin a new session at a row of one, after a question that says what it is', async () => {
    const { id } = await sessions.create('Session first', 'hello once');
    const frame = await panels.open('Session first', id);
    const row = frame.getByRole('article').filter({ hasText: 'You wrote: "hello once"' }).first();
    await row.waitFor();
    const wish = 'What is it to do?';
    await workbench().untilSeen(asks(wish), async timeout => {
      await row.hover({ timeout });
      await row.getByRole('button', { name: 'Start Again From Here…' }).click({ timeout });
    });
    await questions.write(wish, 'hello again', '.monaco-dialog-box');
    assert.match(await workbench().dialogText(), /approximation: the service has no way to fork/);
    await workbench().screenshot('start-again');
    await workbench().dialogButton('Start Session');
    const again = await panels.live('Again: Session first');
    await again.getByText('hello again').first().waitFor();
    await workbench().screenshot('start-again-begun');
    const [made] = (await client().sessions.list()).items.filter(({ title }) => title === 'Again: Session first');
    const messages = await sessions.events(made?.id ?? '', 'user.message');
    assert.equal(messages.length, 1);
    assert.match(JSON.stringify(messages[0]), /go on from a point in an earlier one.*hello once.*hello again/);
  });

  it('run one message on two versions of an agent, side by side, after a question that says that it costs twice', async () => {
    const { data: first } = await client().agents.create({ name: 'Twofold', model: 'vendor-sonnet-5' });
    await client().agents.update(first.id, { version: 1, description: 'Another one' });
    const message = 'First message, to both of them';
    await workbench().beginCommand(asks(message), 'managedAgents.session.runOnVersions', { connection: 'Lab', agentId: first.id }, [
      { connection: 'Lab', agentId: first.id, version: 2 },
      { connection: 'Lab', agentId: first.id, version: 1 },
    ]);
    await questions.write(message, 'hello both', '.monaco-dialog-box');
    assert.match(await workbench().dialogText(), /version 1 and version 2 of Twofold\?.*costs about twice as much as one/s);
    await workbench().screenshot('versions-question');
    await workbench().dialogButton('Start Two Sessions');
    for (const title of ['hello both · v1', 'hello both · v2']) {
      await workbench().waitFor(`.tab[aria-label*=${JSON.stringify(title)}]`);
    }
    await workbench().waitFor('.editor-group-container + .editor-group-container, .split-view-view:nth-child(2) .editor-group-container');
    const both = (await client().sessions.list()).items.filter(({ title }) => title?.startsWith('hello both'));
    assert.deepEqual(both.map(({ agent }) => agent?.version).sort(), [1, 2]);
    for (const { id } of both) {
      assert.equal((await sessions.events(id, 'user.message')).length, 1);
    }
    await workbench().screenshot('versions-side-by-side');
    await workbench().notificationButton('Both versions have the message.', 'Compare Sessions');
    await workbench().waitFor('.tab.active[aria-label*="hello both · v1 and hello both · v2"]');
  });
});
