import assert from 'node:assert/strict';
import { picker } from '../quickInputs.mjs';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, offers, Questions } from './questions';
import { ServedSessions } from './servedSessions';
import { useWorkbench } from './workbench';

const key = 'local-test-key-0005';
const dialog = '.monaco-dialog-box';

describe('what is done with a session of the view', () => {
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const sessions = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({ settings: connectedTo(emulator()) }));
  const questions = new Questions(workbench);
  before('show the view', async () => {
    await workbench().setKey(key);
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Sessions');
  });

  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();
  const rowOf = (title: string) => `.pane-body .monaco-list-row:has-text("${title}")`;
  /** Begins a session, and lists it; gives its id. */
  async function listed(title: string, words: string, state = 'Idle', agent?: string): Promise<string> {
    const { id } = await sessions.create(title, words, agent);
    await workbench().command('managedAgents.sessions.refresh');
    await item(new RegExp(`${state}, ${title}`)).waitFor();
    return id;
  }
  /** Does something from the menu of several rows that are chosen together. */
  async function onSeveral(titles: readonly string[], act: string, effect: string): Promise<void> {
    await workbench().untilSeen(effect, async timeout => {
      for (const [index, row] of titles.map(rowOf).entries()) {
        // The first one alone, whatever was chosen before.
        const modifiers = index === 0 ? [] : (['ControlOrMeta'] as const);
        await workbench().untilThere(`${row}[aria-selected="true"]`, () =>
          workbench()
            .page.locator(row)
            .click({ modifiers: [...modifiers], timeout }),
        );
      }
      await workbench().treeMenu(titles.at(-1) ?? '', act);
    });
  }
  const said = async (id: string) => (await sessions.events(id, 'user.message')).map(event => JSON.stringify(event.content));

  it('sends a message from a row, and keeps the text when that fails', async () => {
    const id = await listed('Answer me', 'hello');
    emulator().setScenario({ faults: [{ name: 'overloaded', route: 'sessions.events.send' }] });
    await workbench().treeAction('Answer me', 'Send Message', asks('Send to "Answer me"'));
    await questions.write('Send to "Answer me"', 'think about it', asks('Not sent'));
    await workbench().screenshot('sessions-send-failed');
    await workbench().inputHolds('think about it');
    emulator().setScenario({ faults: [] });
    const input = workbench().page.locator(`${asks('Send to')} .quick-input-box input`);
    await workbench().untilGone(picker, timeout => input.press('Enter', { timeout }));
    const [, second, ...others] = await said(id);
    assert.match(second ?? '', /think about it/);
    assert.deepEqual(others, []);
  });

  it('offers a text that was not sent again', async () => {
    const id = await listed('Ask me', 'hello');
    emulator().setScenario({ faults: [{ name: 'overloaded', route: 'sessions.events.send' }] });
    await workbench().treeAction('Ask me', 'Send Message', asks('Send to "Ask me"'));
    await questions.write('Send to "Ask me"', 'half a thought', asks('Not sent'));
    await workbench().closePicker();
    await workbench().treeMenu('Ask me', 'Send Message', asks('Send to "Ask me"'));
    await workbench().inputHolds('half a thought');
    assert.equal((await said(id)).length, 1);
  });

  it('renames a session', async () => {
    await listed('Rename me', 'hello');
    await workbench().treeMenu('Rename me', 'Rename Session', asks('Title of the session'));
    await workbench().inputHolds('Rename me');
    await questions.write('Title of the session', 'Renamed', item(/Idle, Renamed/));
  });

  it('interrupts one that runs, after a question', async () => {
    const id = await listed('Stop me', 'slow 3600', 'Running');
    await workbench().treeAction('Stop me', 'Interrupt Session', dialog);
    assert.match(await workbench().dialogText(), /What the agent did so far stays/);
    await workbench().screenshot('sessions-interrupt');
    await workbench().dialogButton('Interrupt');
    await item(/Idle, Stop me/).waitFor();
    assert.equal((await client().sessions.retrieve(id)).data.status, 'idle');
  });

  it('archives after saying what that means, and interrupts first what runs', async () => {
    const id = await listed('Archive me', 'slow 3600', 'Running');
    await workbench().treeMenu('Archive me', 'Archive Session', dialog);
    assert.match(await workbench().dialogText(), /is running[\s\S]*takes no more messages/);
    await workbench().screenshot('sessions-archive');
    await workbench().dialogButton('Interrupt and Archive');
    await workbench().waitForNone(rowOf('Archive me'));
    assert.ok((await client().sessions.retrieve(id)).data.archived_at);
  });

  it('deletes after a question', async () => {
    const id = await listed('Delete me', 'hello');
    await workbench().treeMenu('Delete me', 'Delete Session', dialog);
    assert.match(await workbench().dialogText(), /cannot be undone/);
    await workbench().dialogButton('Delete');
    await workbench().waitForNone(rowOf('Delete me'));
    await assert.rejects(client().sessions.retrieve(id), { kind: 'not_found' });
  });

  it('archives several rows after one question that names them, and says what became of them', async () => {
    const ids = [await listed('Several of one', 'hello'), await listed('Several of two', 'slow 3600', 'Running')];
    await onSeveral(['Several of one', 'Several of two'], 'Archive Session', `${dialog}:has-text("Archive 2 sessions")`);
    assert.match(await workbench().dialogText(), /Archive 2 sessions[\s\S]*Several of one[\s\S]*Those that run are interrupted first: 1/);
    await workbench().screenshot('sessions-archive-several');
    await workbench().dialogButton('Archive All');
    await workbench().toast('Sessions archived: 2').first().waitFor();
    for (const id of ids) {
      assert.ok((await client().sessions.retrieve(id)).data.archived_at);
    }
    await workbench().waitForNone(rowOf('Several of one'));
  });

  it('shows one as JSON, its secrets masked', async () => {
    await listed('Show me', 'hello');
    const line = workbench().page.locator('.view-line', { hasText: '"title": "Show me"' });
    await workbench().treeMenu('Show me', 'Show Session as JSON', line);
    await workbench().screenshot('sessions-json');
  });

  it('works from the palette by asking which session, by id too', async () => {
    await listed('Let me', 'ask rm -rf build', 'Waiting for You', 'Careful Operator');
    await workbench().runCommand('Managed Agents: Rename Session', asks('Sessions of Lab'));
    for (const offered of ['Waiting for You', 'Let me', 'Enter a Session ID']) {
      await workbench().waitFor(offers(offered));
    }
    await workbench().screenshot('sessions-choose');
    const { id } = await sessions.create('By its id');
    await questions.choose('Sessions of Lab', 'Enter a Session ID', asks('ID of the session'));
    await questions.write('ID of the session', id, asks('Title of the session'));
    await workbench().inputHolds('By its id');
    await questions.write('Title of the session', 'Found by id', item(/Idle, Found by id/));
  });

  it('interrupts several rows that run after one question', async () => {
    const titles = ['Runner one', 'Runner two', 'Runner three'];
    const ids: string[] = [];
    for (const title of titles) {
      ids.push(await listed(title, 'slow 3600', 'Running'));
    }
    await onSeveral(titles, 'Interrupt Session', `${dialog}:has-text("Interrupt 3 sessions")`);
    assert.match(await workbench().dialogText(), /Runner one[\s\S]*Runner three[\s\S]*What the agents did so far stays/);
    await workbench().screenshot('sessions-interrupt-several');
    await workbench().dialogButton('Interrupt All');
    await workbench().toast('Sessions interrupted: 3').first().waitFor();
    await item(/Idle, Runner three/).waitFor();
    await workbench().screenshot('sessions-interrupted-several');
    for (const id of ids) {
      assert.equal((await client().sessions.retrieve(id)).data.status, 'idle');
    }
  });

  it('exports several rows into a folder, each as a file of its own', async () => {
    const titles = ['Export one', 'Export two'];
    for (const title of titles) {
      await listed(title, 'hello');
    }
    await onSeveral(titles, 'Export Session', `${picker} .monaco-list-row:has-text("Markdown")`);
    await workbench().quickPick('Markdown');
    const folder = `${workbench().folder}/`;
    await workbench().inputHolds(folder);
    await workbench().screenshot('sessions-export-several');
    await workbench().chooseFile(folder, folder, workbench().toast(/Sessions exported to .*: 2/));
    await workbench().screenshot('sessions-exported-several');
    for (const title of titles) {
      assert.match(workbench().fileText(`${title}.session.md`), /hello/);
    }
  });
});
