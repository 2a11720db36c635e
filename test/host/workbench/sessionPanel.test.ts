import assert from 'node:assert/strict';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { eventually } from '../eventually';
import { picker } from '../page/quickInputs';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, Questions } from './questions';
import { ServedSessions } from './servedSessions';
import { SessionPanels } from './sessionPanels';
import { tabOf, useWorkbench } from './workbench';

const key = 'local-test-key-0007';
const dialog = '.monaco-dialog-box';

describe('the session panel', () => {
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const sessions = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({
    settings: connectedTo(emulator()),
    files: {
      'price.json': '{"price": 3.2}\n',
      'docs/plan.md': '# Plan\n\n1. Begin.\n',
      'docs/plan.bin': 'PK\0\u0001',
      'hidden/plan.md': 'nobody sees this',
      '.vscode/settings.json': '{ "files.exclude": { "hidden": true } }',
    },
  }));
  const questions = new Questions(workbench);
  const panels = new SessionPanels(workbench);
  before('give the key', () => workbench().setKey(key));

  const button = (frame: Frame, name: string) => frame.getByRole('button', { name, exact: true }).first();
  const answers = async (id: string) => (await sessions.events(id, 'user.tool_confirmation')).map(({ result }) => result);
  const host = () => new URL(emulator().url).host;
  /** Opens a link as if the system had handed it to VS Code, and allows VS Code to pass it on. */
  const follow = async (link: string) => {
    const w = workbench();
    await w.beginCommand(asks('URL to open'), 'workbench.action.url.openUrl');
    await questions.write('URL to open', link, dialog);
    assert.match(await w.dialogText(), /Managed Agents.*open this URI/s);
    await w.dialogButton(/^Open$/);
  };
  /** Number of requests about a session. */
  const readsOf = (id: string) => emulator().requests.filter(({ path }) => path.includes(id)).length;
  const formats = `${picker} .monaco-list-row:has-text("Markdown")`;
  const pathOf = (file: string) => path.join(workbench().folder, file);
  const typesIn = (file: string): readonly string[] =>
    workbench()
      .fileText(file)
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).type);

  /** Starts a session, allows one of its commands and denies another. Returns its id. */
  async function operated(title: string): Promise<string> {
    const { id } = await sessions.create(title, 'ask rm -rf build', 'Careful Operator');
    const answer = async (verdict: object) => {
      const asked = (await sessions.events(id, 'agent.tool_use')).at(-1);
      await sessions.send(id, { type: 'user.tool_confirmation', tool_use_id: asked?.id, ...verdict });
    };
    await answer({ result: 'allow' });
    await sessions.say(id, 'ask rm -rf node_modules');
    await answer({ result: 'deny', deny_message: 'Keep the packages.' });
    return id;
  }

  it('answers a custom tool from a file @ci', async () => {
    const { id } = await sessions.create('Session shop', 'price of tea', 'Shopkeeper');
    const frame = await panels.open('Session shop', id);
    await workbench().click(button(frame, 'From File...'), '.quick-input-titlebar:has-text("Result of")');
    await workbench().chooseFile(`${workbench().folder}/`, path.join(workbench().folder, 'price.json'));
    await frame
      .getByText(/says .*3\.2.* for/)
      .first()
      .waitFor();
    const results = await sessions.events(id, 'user.custom_tool_result');
    assert.equal(results.length, 1);
    assert.match(JSON.stringify(results[0]?.content), /3\.2/);
    await workbench().screenshot('session-panel-custom');
  });

  it('attaches workspace files as text and as uploads, each visible before, also after a reload @ci', async () => {
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
    await attach('Compare @plan.b', 'plan.bin docs', 'Not UTF-8');
    await workbench().screenshot('session-panel-attached');
    // The attachments and the text survive a reload.
    await workbench().writtenDown('Compare @docs/plan.bin');
    await workbench().panelWrittenDown('Session files');
    await workbench().reloadWindow();
    frame = await panels.live('Session files');
    field = frame.getByRole('textbox', { name: 'Message to the agent' });
    await frame.locator('.attached-chip', { hasText: 'docs/plan.md' }).waitFor();
    await frame.locator('.attached-chip', { hasText: 'Not UTF-8' }).waitFor();
    await eventually(async () => (await field.inputValue()).startsWith('Compare @docs/plan.bin'));
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

  it('creates a rule from an ask, which answers it at once, and leaves the rest to the user @ci', async () => {
    const { id } = await sessions.create('Session rules', 'ask make clean', 'Careful Operator');
    const frame = await panels.open('Session rules', id);
    assert.deepEqual(await answers(id), []);
    await workbench().click(button(frame, 'Always Allow...'), asks('Always Allow'));
    await workbench().screenshot('rules-offered');
    await questions.choose('Always Allow', 'Always allow bash `make clean` exactly', frame.getByText('emulated: nothing was run').first());
    const shown = await panels.open('Session rules', id);
    await shown.getByText('allowed by rule "bash make clean"').first().waitFor();
    assert.deepEqual(await answers(id), ['allow']);
    await workbench().screenshot('rules-marked');
    await sessions.say(id, 'ask make clean; rm -rf /');
    await button(shown, 'Allow (A)').waitFor();
    const off = `.notification-toast:has-text("is turned off. Its last decision can't be undone")`;
    await workbench().runCommand('Managed Agents: Turn Off Last Used Rule', off);
    await workbench().screenshot('rules-off');
    assert.deepEqual(await answers(id), ['allow']);
  });

  it('copies a link to a row and opens it, after a question that names the host @ci', async () => {
    const w = workbench();
    const { id } = await sessions.create('Linked to', 'hello');
    const frame = await panels.open('Linked to', id);
    const row = frame.getByRole('article').filter({ hasText: 'You wrote: "hello"' }).first();
    await row.waitFor();
    await w.page.evaluate(() => navigator.clipboard.writeText('before'));
    let link = '';
    await w.untilDone(async timeout => {
      await row.hover({ timeout });
      await row.getByRole('button', { name: 'Copy Link' }).click({ timeout });
      link = await w.page.evaluate(() => navigator.clipboard.readText());
      assert.notEqual(link, 'before');
    });
    const [, event = ''] =
      /^[a-z-]+:\/\/managed-agents\.managed-agents\/session\/[^?]+\?connection=Lab&host=[\d.:]+&event=(\w+)$/.exec(link) ??
      assert.fail(link);
    assert.ok(link.includes(id) && link.includes(host()) && !link.includes(key), link);
    assert.ok(
      (await sessions.events(id)).some(one => one.id === event),
      link,
    );
    await w.closeEditors();
    const before = readsOf(id);
    await follow(link);
    assert.match(await w.dialogText(), new RegExp(`Open ${id} on ${host()}\\?.*Event: ${event}.*connection "Lab"`, 's'));
    await w.screenshot('link-question');
    assert.equal(readsOf(id), before);
    await w.dialogButton(/^Open$/);
    await panels.live('Linked to');
    assert.ok(readsOf(id) > before);
  });

  it('exports the whole log, and opens the file without a service @ci', async () => {
    const { id } = await sessions.create('Session delegate', 'delegate both look around');
    await panels.open('Session delegate', id);
    await workbench().runCommand('Managed Agents: Export Session', formats);
    await workbench().quickPick('JSON Lines');
    await workbench().chooseFile(pathOf('Session delegate.session.jsonl'), pathOf('delegated.session.jsonl'));
    await workbench().notification('The session was exported to delegated.session.jsonl');
    const lines = workbench().fileText('delegated.session.jsonl').trimEnd().split('\n');
    const types = typesIn('delegated.session.jsonl');
    assert.equal(types[0], 'export.header');
    assert.ok(types.includes('export.thread'));
    const own = lines.slice(1, types.indexOf('export.thread')).map(line => JSON.parse(line).id);
    assert.deepEqual(
      own,
      (await sessions.events(id)).map(event => event.id),
    );
    await workbench().notificationButton('The session was exported', 'Open');
    await workbench().waitFor(tabOf('delegated.session.jsonl'));
    const frame = await workbench().webview('main.panel:has(.header-connection-offlineFile) .timelineArea');
    await frame.getByText('Exported file').first().waitFor();
    await frame.getByText('That is all.').first().waitFor();
    await workbench().screenshot('session-panel-replay');
  });

  it('exports only visible rows @nightly', async () => {
    const frame = await panels.open('Session shown', await operated('Session shown'));
    await workbench().click(frame.getByRole('toolbar').getByRole('button', { name: 'More' }), frame.getByRole('menuitem').first());
    await workbench().click(frame.getByRole('menuitem', { name: 'Export...' }), formats);
    await workbench().quickPick('JSON Lines, visible rows only');
    await workbench().chooseFile(pathOf('Session shown.session.jsonl'), pathOf('part.session.jsonl'));
    await workbench().notification('The session was exported to part.session.jsonl');
    const types = typesIn('part.session.jsonl');
    assert.ok(types.includes('user.message') && types.includes('agent.tool_result'));
    assert.ok(types.every(type => !/^session\.(?:thread_)?status_/.test(type)));
  });
});
