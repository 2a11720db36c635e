import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { eventuallyHolds } from '../eventually';
import type { WorkbenchPage } from '../page/workbenchPage';
import { NewSession } from './newSession';
import { SessionPanels, tabOfSession } from './sessionPanels';
import { stopAtFailure } from './stopAtFailure';
import { tabOf, useWorkbench } from './workbench';

const words = 'ask npm run build';
const connection = '.statusbar-item[id$="managedAgents.connection"]';
const running = `${connection}:has(.codicon-vm-running)`;
const stopped = `${connection}:has-text("stopped")`;

/** First use of an agent from start to end, in one window with the built-in emulator. */
describe('watching an agent @floor', function () {
  // Each test continues where the previous test ended.
  stopAtFailure(this);
  const workbench = useWorkbench({
    settings: { 'workbench.colorTheme': 'Default Dark Modern', 'files.autoSave': 'off' },
  });
  const panels = new SessionPanels(workbench);
  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();
  const openByRow = async (name: RegExp) => {
    await workbench().unfold(/^Done/, item(name));
    await workbench().click(item(name), tabOfSession(words));
    return await panels.live(words);
  };

  it('starts the emulator and a session with a sample agent, and continues when the tool is allowed @smoke', async () => {
    await workbench().openViewContainer('Managed Agents');
    await workbench().runCommand('Managed Agents: Start Emulator', running);
    await workbench().statusBarItem('Emulator');
    await workbench().command('managedAgents.agents.focus');
    await item(/Careful Operator, v1/).waitFor();
    await workbench().screenshot('agent-job-1-views');
    await workbench().treeAction('Careful Operator', 'Start Session', tabOfSession('New Session'));
    const start = new NewSession(workbench);
    const form = await start.frame();
    await workbench().screenshot('agent-job-2-start');
    await start.start(form, words, tabOfSession(words));
    const frame = await panels.live(words);
    const allow = frame.locator('button:enabled', { hasText: /^Allow \(A\)$/ });
    // A new card can't be answered at once.
    await allow.waitFor();
    await item(/Needs approval, ask npm run build/).waitFor();
    await workbench().screenshot('agent-job-3-ask');
    await workbench().click(allow, frame.getByText('emulated: nothing was run'));
    await frame.locator('.header-state', { hasText: 'Done' }).waitFor();
    // The panel reports its session's new state to the view.
    await item(/^Done, 1/).waitFor();
    await workbench().screenshot('agent-job-4-allowed');
  });

  it('answers the next ask in the inbox, by keyboard alone @smoke', async () => {
    const panel = await openByRow(/Done, ask npm run build/);
    const need = item(/Needs approval, ask npm run build, bash npm test/);
    await workbench().untilSeen(need, async timeout => {
      const composer = panel.getByRole('textbox', { name: 'Message to the agent' });
      await composer.fill('ask npm test', { timeout });
      await composer.press('Enter', { timeout });
    });
    await workbench().runCommand('Managed Agents: Open Inbox (Approve, Answer)', '.tab.active[aria-label*="Inbox"]');
    const inbox = await workbench().webview('main.inbox article.ask:has-text("npm test"):focus');
    const card = inbox.locator('article.ask', { hasText: 'npm test' });
    await card.getByRole('button', { name: 'Allow (A)', exact: true, disabled: false }).waitFor();
    await workbench().untilSeen(inbox.getByText('Nothing needs you.').first(), timeout => card.press('a', { timeout }));
    await item(/^Done, 1/).waitFor();
  });

  it('opens the agent from the panel, and its change becomes a new version @smoke', async () => {
    const frame = await openByRow(/Done, ask npm run build/);
    await workbench().click(frame.getByRole('button', { name: /Careful Operator/ }), tabOf('Careful Operator.agent.json'));
    await workbench().goTo(3, 19);
    await workbench().type('Very carefully: ');
    await workbench().save();
    await item(/Careful Operator, draft/).waitFor();
    await workbench().runCommand('Managed Agents: Publish...', workbench().toast('as version 2?'));
    await workbench().waitFor('.monaco-diff-editor .view-lines:has-text("Very carefully")');
    await workbench().page.mouse.move(600, 700);
    await workbench().screenshot('agent-job-5-publish');
    await workbench().notificationButton('as version 2?', 'Publish Version 2');
    await item(/Careful Operator, v2/).waitFor();
    await workbench().waitForNone('.monaco-diff-editor');
  });

  it('continues in another window of the folder when this one runs no emulator, and here when that window closes @nightly', async () => {
    const w = workbench();
    const panel = `main.panel:has(h1:has-text("${words}")) .timelineArea`;
    /** Allows the agent of the open session to read a file, and waits until the agent has read the file. */
    const haveRead = async (page: WorkbenchPage, file: string) => {
      const frame = await page.webview(panel);
      await frame.getByText('Live', { exact: true }).first().waitFor();
      const shown = frame.locator('.row', { hasText: file });
      await page.untilSeen(shown.first(), async timeout => {
        const composer = frame.getByRole('textbox', { name: 'Message to the agent' });
        await composer.fill(`read ${file}`, { timeout });
        await composer.press('Enter', { timeout });
      });
      const allow = frame.locator('button:enabled', { hasText: /^Allow \(A\)$/ });
      await allow.waitFor();
      await page.click(allow, frame.locator('.header-state', { hasText: 'Done' }));
      const { port } = JSON.parse(readFileSync(lock().file, 'utf8'));
      const source = frame.locator('.header-facts', { hasText: `(127.0.0.1:${port})` });
      await page.untilSeen(source, timeout => frame.getByRole('button', { name: 'Show Session Details' }).click({ timeout }));
    };
    /** Returns the file name of the emulator's lock. Its number counts the emulators that windows have started in this folder. */
    const lock = () => {
      const storage = path.join(w.globalStorage, '../../workspaceStorage');
      const folders = readdirSync(storage).map(folder => path.join(storage, folder, 'managed-agents.managed-agents/emulator'));
      const locks = folders.filter(existsSync).flatMap(folder =>
        readdirSync(folder).flatMap(name => {
          const [, taken] = /^emulator\.lock\.(\d+)$/.exec(name) ?? [];
          return taken === undefined ? [] : [{ taken: Number(taken), file: path.join(folder, name) }];
        }),
      );
      return locks.reduce((a, b) => (a.taken > b.taken ? a : b));
    };
    const before = lock().taken;
    await w.beside(async other => {
      await other.openViewContainer('Managed Agents');
      const row = other.page.getByRole('treeitem', { name: /Done, ask npm run build/ }).first();
      await other.unfold(/^Done/, row);
      await other.untilThere(tabOfSession(words), timeout => row.click({ timeout }));
      await haveRead(other, 'second.txt');
      await other.screenshot('agent-job-second-window');
      await other.runCommand('Managed Agents: Stop Emulator', other.toast('is running in another window'));
      await other.waitFor(stopped);
      await other.screenshot('agent-job-second-window-stopped');
      await other.runCommand('Managed Agents: Start Emulator', running);
      await w.runCommand('Managed Agents: Stop Emulator', stopped);
      await eventuallyHolds(() => assert.equal(lock().taken, before + 1));
      await haveRead(other, 'own.txt');
      await w.runCommand('Managed Agents: Start Emulator', running);
      await openByRow(/Done, ask npm run build/);
      await haveRead(w, 'first.txt');
    });
    await eventuallyHolds(() => assert.equal(lock().taken, before + 2));
    await haveRead(w, 'alone.txt');
    await w.screenshot('agent-job-alone-again');
  });

  it("keeps the session's version of its agent, and shows the agent's sessions @nightly", async () => {
    const filter = '.pane-header .description:has-text("Careful Operator")';
    await workbench().menuOf(item(/Careful Operator, v2/), 'Show Sessions of This Agent', workbench().page.locator(filter));
    const frame = await openByRow(/Done, ask npm run build/);
    await workbench().click(frame.getByRole('button', { name: 'Show Session Details' }), frame.getByText(/Careful Operator · version 1/));
    await eventuallyHolds(async () => assert.doesNotMatch(await frame.locator('.header').innerText(), /version 2/));
    await workbench().screenshot('agent-job-6-session');
  });
});
