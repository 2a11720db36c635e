import { picker } from '../quickInputs.mjs';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { ServedSessions } from './servedSessions';
import { SessionPanels } from './sessionPanels';
import { useWorkbench } from './workbench';

const key = 'local-test-key-0031';

describe('comparing two sessions', () => {
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const sessions = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({ settings: connectedTo(emulator()) }));
  const panels = new SessionPanels(workbench);
  before('show the view', async () => {
    await workbench().setKey(key);
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Sessions');
  });

  const tab = '.tab.active[aria-label*="Mend once and Mend twice"]';
  const choice = (title: string) => `${picker} .monaco-list-row:has-text(${JSON.stringify(title)})`;

  /** A session that was asked for one command, and allowed it. */
  async function operated(title: string, command: string): Promise<string> {
    const { id } = await sessions.create(title, `ask ${command}`, 'Careful Operator');
    const [call] = await sessions.events(id, 'agent.tool_use');
    await sessions.send(id, { type: 'user.tool_confirmation', tool_use_id: call?.id, result: 'allow' });
    return id;
  }

  it('lists what differs, shows both sides of it, in the diff editor and in either session, and reads both again', async () => {
    await operated('Mend once', 'make clean');
    const second = await operated('Mend twice', 'make test');
    await workbench().command('managedAgents.sessions.refresh');
    await workbench().treeRow('Mend twice');
    await workbench().treeMenu('Mend once', 'Compare Sessions...', choice('Mend twice'));
    await workbench().screenshot('compare-sessions-choose');
    await workbench().quickPick('Mend twice', tab);
    const frame = await workbench().webview('main.sessionComparison');
    const call = frame.locator('.extent > .row').filter({ hasText: 'other arguments' }).filter({ hasText: 'make test' });
    await call.waitFor();
    await workbench().pictures('compare-sessions');
    const pair = frame.getByRole('region', { name: /^Both sessions, Turn 1: bash/ });
    await workbench().click(call, pair.getByText('make clean'));
    await workbench().pictures('compare-sessions-pair');
    await workbench().click(pair.getByRole('button', { name: 'Open in Session B' }), '.tab.active[aria-label^="Mend twice"]');
    await panels.live('Mend twice');
    await sessions.say(second, 'hello again');
    await workbench().command('workbench.action.closeActiveEditor');
    const again = await workbench().webview('main.sessionComparison');
    await workbench().click(
      again.getByRole('button', { name: 'Refresh' }),
      again.locator('.extent > .row.isTurn').filter({ hasText: 'only in B' }),
    );
    await workbench().click(
      again.getByRole('button', { name: 'Show Transcripts in Diff Editor' }),
      '.monaco-diff-editor .view-line:has-text("clean")',
    );
    await workbench().screenshot('compare-sessions-difference');
    await workbench().command('workbench.action.closeAllEditors');
  });

  it('compares two that are selected, and says which one is gone', async () => {
    const ids = [await operated('Keep this', 'make a'), await operated('Lose this', 'make b')];
    await workbench().command('managedAgents.sessions.refresh');
    await workbench().treeRow('Lose this');
    const [kept, lost] = ids.map(sessionId => ({ connection: 'Lab', sessionId }));
    const both = '.tab.active[aria-label*="Keep this and Lose this"]';
    await workbench().beginCommand(both, 'managedAgents.session.compare', kept, [kept, lost]);
    const frame = await workbench().webview('main.sessionComparison');
    await frame.locator('.extent > .row').filter({ hasText: 'other arguments' }).waitFor();
    await workbench().panelWrittenDown('Keep this and Lose this');
    await workbench().reloadWindow();
    const reloaded = await workbench().webview('main.sessionComparison');
    await reloaded.locator('.extent > .row').filter({ hasText: 'other arguments' }).waitFor();
    await client().sessions.delete(ids[1] ?? '');
    await workbench().click(
      reloaded.getByRole('button', { name: 'Refresh' }),
      workbench().toast('Lab has no session Lose this: it was deleted, or belongs to another connection.'),
    );
    await reloaded.locator('.extent > .row').filter({ hasText: 'other arguments' }).waitFor();
    await workbench().screenshot('compare-sessions-gone');
  });
});
