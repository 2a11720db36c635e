import assert from 'node:assert/strict';
import path from 'node:path';
import { picker } from '../quickInputs.mjs';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { ServedSessions } from './servedSessions';
import { SessionPanels } from './sessionPanels';
import { tabOf, useWorkbench } from './workbench';

const key = 'local-test-key-0007';

describe('exporting a session', () => {
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const sessions = new ServedSessions(emulator, useClient(emulator));
  const workbench = useWorkbench(() => ({ settings: connectedTo(emulator()) }));
  const panels = new SessionPanels(workbench);
  before('give the key', () => workbench().setKey(key));

  const formats = `${picker} .monaco-list-row:has-text("Markdown")`;
  const pathOf = (file: string) => path.join(workbench().folder, file);
  const typesIn = (file: string): readonly string[] =>
    workbench()
      .fileText(file)
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).type);

  /** A session that was allowed one command and denied another. */
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

  it('writes the whole log, and shows the file without a service', async () => {
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

  it('writes only what is shown', async () => {
    const frame = await panels.open('Session shown', await operated('Session shown'));
    const status = frame.getByRole('button', { name: /^Status / });
    await workbench().click(status, status.and(frame.locator('[aria-pressed="false"]')));
    await workbench().click(frame.getByRole('button', { name: 'Export…' }), formats);
    await workbench().quickPick('JSON Lines, only what is shown');
    await workbench().chooseFile(pathOf('Session shown.session.jsonl'), pathOf('part.session.jsonl'));
    await workbench().notification('The session was exported to part.session.jsonl');
    const types = typesIn('part.session.jsonl');
    assert.ok(types.includes('user.message') && types.includes('agent.tool_result'));
    assert.ok(types.every(type => !/^session\.(?:thread_)?status_/.test(type)));
  });

  it('writes Markdown to read', async () => {
    await panels.open('Session operate', await operated('Session operate'));
    await workbench().runCommand('Managed Agents: Export Session', formats);
    await workbench().quickPick('Markdown');
    await workbench().chooseFile(pathOf('Session operate.session.md'), pathOf('operated.md'));
    await workbench().notification('The session was exported to operated.md');
    const text = workbench().fileText('operated.md');
    assert.match(text, /Session operate/);
    assert.match(text, /rm -rf build/);
    assert.match(text, /Keep the packages\./);
  });
});
