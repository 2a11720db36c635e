import assert from 'node:assert/strict';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, Questions } from './questions';
import { ServedSessions } from './servedSessions';
import { SessionPanels, tabOfSession } from './sessionPanels';
import { useWorkbench } from './workbench';

const key = 'local-test-key-0031';
const menu = 'Enter starts the session on';
const written = '.tab[data-resource-name^="Untitled"]';

describe('what is written to a session', () => {
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const sessions = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({
    settings: connectedTo(emulator()),
    files: {
      'docs/plan.md': '# Plan\n\n1. Begin.\n',
      'docs/plan.bin': 'PK\0\u0001',
      'hidden/plan.md': 'nobody sees this',
      '.vscode/settings.json': '{ "files.exclude": { "hidden": true } }',
      '.managed-agents/prompts/review.md': '---\ndescription: Reviews a change\n---\nReview {{what}}\nand say what is missing.\n',
    },
  }));
  const questions = new Questions(workbench);
  const panels = new SessionPanels(workbench);
  before('give the key', () => workbench().setKey(key));

  it('takes files of the workspace along as text and uploaded, each seen before', async () => {
    const { id } = await sessions.create('Session files');
    let frame = await panels.open('Session files', id);
    let field = frame.getByRole('textbox', { name: 'Message to the agent' });
    const attach = async (typed: string, offered: string, chip: string) => {
      const option = frame.getByRole('option', { name: offered });
      await workbench().untilSeen(option, timeout => field.fill(typed, { timeout }));
      assert.equal(await frame.getByRole('option', { name: /hidden/ }).count(), 0);
      await workbench().click(option, frame.locator('.attached-chip', { hasText: chip }));
    };
    await attach('Compare @plan.m', 'plan.md docs', 'as text');
    await attach('Compare @plan.b', 'plan.bin docs', 'It is no UTF-8 text');
    await workbench().screenshot('session-panel-attached');
    // They are still there after a reload, with what was written.
    await workbench().writtenDown('Compare @docs/plan.bin');
    await workbench().panelWrittenDown('Session files');
    await workbench().reloadWindow();
    frame = await panels.live('Session files');
    field = frame.getByRole('textbox', { name: 'Message to the agent' });
    await frame.locator('.attached-chip', { hasText: 'docs/plan.md' }).waitFor();
    await frame.locator('.attached-chip', { hasText: 'It is no UTF-8 text' }).waitFor();
    await workbench().untilSo(async () => (await field.inputValue()).startsWith('Compare @docs/plan.bin'));
    assert.equal((await client().files.list()).items.length, 0);
    await workbench().untilGone(frame.locator('.attached-chip'), async timeout => {
      if ((await field.inputValue()) !== '') {
        await field.press('Enter', { timeout });
      }
    });
    await frame.getByText('File docs/plan.md:').first().waitFor();
    const [message, ...others] = await sessions.events(id, 'user.message');
    assert.deepEqual(others, []);
    const [words, text, mounted] = (message?.content ?? []) as readonly { readonly text: string }[];
    assert.match(words?.text ?? '', /^Compare @docs\/plan\.bin/);
    assert.equal(text?.text, 'File docs/plan.md:\n\n```md\n# Plan\n\n1. Begin.\n```');
    assert.match(mounted?.text ?? '', /^File docs\/plan\.bin was added to the session at \/mnt\//);
    assert.equal((await client().files.list()).items.length, 1);
  });

  it('begins a session with a prompt of several lines, written in an editor', async () => {
    await workbench().runCommand('Managed Agents: Start Session', asks('Start a session of which agent?'));
    await questions.choose('Start a session of which agent?', 'Researcher', asks(menu));
    await questions.choose(menu, 'Write in an Editor', asks('beginning with what?'));
    await workbench().screenshot('sessions-start-prompts');
    await questions.choose(
      'beginning with what?',
      'review',
      '.editor-group-container.active .view-lines:has-text("and say what is missing.")',
    );
    // The place to fill in is selected.
    await workbench().type('the plan');
    assert.equal(await workbench().activeText('the plan'), 'Review the plan\nand say what is missing.');
    await workbench().screenshot('sessions-start-editor');
    await workbench().codeLens('Start Session with This Message', asks(menu));
    assert.match((await workbench().quickPickTexts()).join('\n'), /Review the plan and say what is missing\./);
    // The document has the same words for its name.
    await questions.choose(menu, 'Start Session', `${tabOfSession('Review the plan')}:not(${written})`);
    const frame = await panels.live('Review the plan');
    await frame.locator('.timelineArea').getByText('and say what is missing.').first().waitFor();
    const [session] = (await client().sessions.list({ limit: 1 })).items;
    const [message] = await sessions.events(session?.id ?? '', 'user.message');
    assert.deepEqual(message?.content, [{ type: 'text', text: 'Review the plan\nand say what is missing.' }]);
    // What was sent is no longer in the way.
    await workbench().page.locator(written).waitFor({ state: 'detached' });
  });
});
