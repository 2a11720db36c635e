import assert from 'node:assert/strict';
import { useWorkbench } from './workbench';

/** Everything a first user does with an agent, in one window, on the emulator that is built in. */
describe('the job of watching an agent', function () {
  // Each test goes on where the one before it ended.
  this.bail(true);
  const workbench = useWorkbench({
    settings: { 'workbench.colorTheme': 'Default Dark Modern', 'files.autoSave': 'off' },
  });
  const panel = () => workbench().webview('main.panel .timelineArea');

  it('finds sample agents when the emulator has started', async () => {
    const w = workbench();
    await w.openViewContainer('Managed Agents');
    await w.welcomeButton('Start Emulator');
    await w.statusBarItem('Emulator');
    await w.page.getByRole('treeitem', { name: /Careful Operator, v1/ }).waitFor();
    await w.screenshot('agent-job-1-views');
  });

  it('starts a session with one of them, and opens it', async () => {
    const w = workbench();
    await w.treeAction('Careful Operator', 'Start Session');
    await w.quickPick('First Message');
    await w.inputBox('ask npm run build');
    await w.screenshot('agent-job-2-start');
    await w.quickPick('Start Session');
    const frame = await panel();
    // A card that has just come cannot be answered yet.
    await frame.locator('button:enabled', { hasText: /^Allow$/ }).waitFor();
    await w.page
      .getByRole('treeitem', { name: /Waiting for You/ })
      .first()
      .waitFor();
    await w.screenshot('agent-job-3-ask');
  });

  it('goes on when the tool is allowed', async () => {
    const w = workbench();
    const frame = await panel();
    await frame.getByRole('button', { name: 'Allow', exact: true }).click();
    await frame.getByText('emulated: nothing was run').first().waitFor();
    await frame.getByText('Idle').first().waitFor();
    await w.screenshot('agent-job-4-allowed');
  });

  it('leads from the panel to the agent, whose change becomes a new version', async () => {
    const w = workbench();
    const frame = await panel();
    await frame
      .getByRole('button', { name: /Careful Operator/ })
      .first()
      .click();
    await w.waitFor('.tab.active[data-resource-name="Careful Operator.agent.json"]');
    await w.goTo(3, 19);
    await w.page.keyboard.insertText('Very carefully: ');
    await w.press('Control+S');
    await w.runCommand('Managed Agents: Publish Agent');
    await w.page.locator('.quick-input-widget', { hasText: 'Publish Version 2' }).waitFor();
    await w.page.locator('.monaco-diff-editor .view-lines', { hasText: 'Very carefully' }).first().waitFor();
    await w.page.mouse.move(600, 700);
    await w.screenshot('agent-job-5-publish');
    await w.quickPick('Publish Version 2');
    await w.page.getByRole('treeitem', { name: /Careful Operator, v2/ }).waitFor();
  });

  it('keeps the version a session began with, and shows the sessions of the agent', async () => {
    const w = workbench();
    await w.menuOf(w.page.getByRole('treeitem', { name: /Careful Operator, v2/ }).first(), 'Show Sessions of This Agent');
    await w.page.locator('.pane-header .description', { hasText: 'Careful Operator' }).first().waitFor();
    await w.page
      .getByRole('treeitem', { name: /Idle, ask npm run build/ })
      .first()
      .click();
    const frame = await panel();
    assert.match(await frame.locator('header, main').first().innerText(), /version 1/);
    await w.screenshot('agent-job-6-session');
  });
});
