import assert from 'node:assert/strict';
import { eventuallyHolds } from '../eventually';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { ServedSessions } from './servedSessions';
import { SessionPanels } from './sessionPanels';
import { useWorkbench } from './workbench';

const key = 'local-test-key-0047';

describe('a stuck agent @ci', () => {
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
  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();

  it('is noticed in list, inbox and panel, until it is interrupted', async () => {
    const { id } = await sessions.create('Nightly audit', 'loop');
    await workbench().command('managedAgents.refresh');
    await item(/^Running, Nightly audit, same call 3 times: bash npm test/).waitFor();
    await workbench().screenshot('stuck-list');

    await workbench().runCommand('Managed Agents: Open Inbox (Approve, Answer)', '.tab.active[aria-label*="Inbox"]');
    const inbox = await workbench().webview('main.inbox article.ask:has-text("makes no progress")');
    await inbox.getByRole('button', { name: 'Interrupt (I)' }).waitFor();
    await workbench().screenshot('stuck-inbox');

    const panel = await panels.open('Nightly audit', id);
    const problem = panel.locator('.header-problem');
    await problem.getByText('same call 3 times: bash npm test').waitFor();
    await workbench().screenshot('stuck-panel');
    await workbench().untilDone(timeout => problem.getByRole('button', { name: 'Interrupt' }).click({ timeout }));
    await eventuallyHolds(async () => {
      await emulator().advanceClock(0);
      assert.equal((await sessions.events(id, 'user.interrupt')).length, 1);
    });
    await problem.waitFor({ state: 'detached' });
    await workbench().unfold(/^Done/, item(/^Done, Nightly audit/));
  });

  it("has its workflow run in one row, and the service's decisions at the calls", async () => {
    const { id } = await sessions.create('Release train', 'workflow 3');
    await sessions.say(id, 'judge');
    const panel = await panels.open('Release train', id);
    const run = panel.getByRole('article').filter({ hasText: 'nightly' });
    await run.getByText('Completed: the program ended. Check its work.').waitFor();
    await run.getByText('6 agents').waitFor();
    await workbench().screenshot('workflow-run');
    await workbench().untilDone(timeout => run.locator('.runPhase', { hasText: 'Test' }).click({ timeout }));
    const agent = run.getByRole('button', { name: /^Show Thread / }).first();
    await workbench().untilSeen(panel.getByRole('tab').first(), timeout => agent.click({ timeout }));
    await eventuallyHolds(async () => assert.equal(await panel.getByRole('tab').count(), 2));

    await workbench().untilDone(timeout => panel.getByRole('tab').first().click({ timeout }));
    const show = panel.getByRole('combobox', { name: 'Show' });
    await workbench().untilDone(timeout => show.selectOption('Decided by the service (3)', { timeout }));
    await panel.getByText('denied by the service: high risk').first().waitFor();
    await workbench().screenshot('service-decisions');
  });
});
