import path from 'node:path';
import { NewSession } from './newSession';
import { SessionPanels, tabOfSession } from './sessionPanels';
import { useWorkbench } from './workbench';

/** Takes screenshots for the README, with the built-in emulator. `test/host/readmePictures.mjs` converts them to the README's pictures. */
describe('the pictures of the README @nightly', () => {
  const request = 'ask ./deploy.sh staging';
  const workbench = useWorkbench({
    workspace: path.resolve('media/samples'),
    settings: {
      'workbench.colorTheme': 'Default Dark Modern',
      'managedAgents.emulator.batchSeconds': 8,
      'managedAgents.estimate.prices': {
        'vendor-sonnet-5': { input: 1.5, output: 7.5 },
        'vendor-haiku-4-5': { input: 0.5, output: 2.5 },
        'vendor-opus-5': { input: 2.5, output: 12.5 },
      },
    },
  });

  it('show the problems of a file', async () => {
    const w = workbench();
    await w.openFile('with-problems.jsonl');
    await w.codeLenses('errors');
    await w.problems();
    await w.screenshot('readme-problems');
    await w.command('workbench.action.closePanel');
    await w.closeEditors();
  });

  it('show a batch from its sheet to its answers', async () => {
    const w = workbench();
    await w.openViewContainer('Managed Agents');
    await w.runCommand('Managed Agents: Start Emulator', '.statusbar-item:has-text("Emulator")');
    await w.openFile('questions.jsonl');
    await w.codeLenses('Create Batch (12 requests');
    await w.screenshot('readme-file');
    await w.codeLens('Create Batch (12 requests', w.sheetTab('questions.jsonl'));
    await w.sheetSays('questions.jsonl', /No problems found/);
    await w.sheetSays('questions.jsonl', /\$/);
    await w.screenshot('readme-sheet');
    await w.createFromSheet('questions.jsonl');
    await w.page.getByRole('treeitem', { name: /questions\.jsonl, .*running/ }).waitFor();
    await w.clearNotifications();
    await w.screenshot('readme-running');
    await w.notification(/The batch of questions\.jsonl has ended/);
    await w.notificationButton('The batch of questions.jsonl has ended', 'Show Results');
    const results = await w.webview('[role="row"]:has-text("Santiago")');
    await w.click(results.getByRole('row', { name: /tides/ }), results.getByRole('region', { name: /tides/ }));
    await w.screenshot('readme-results');
    await w.closeEditors();
    await w.openFile('questions.jsonl');
    await w.clearNotifications();
    await w.answerShown('Santiago', 'capital-of-chile');
    await w.codeLenses('1 cut short');
    await w.screenshot('readme-answers');
    await w.closeEditors();
  });

  it('show a session that needs approval', async () => {
    const w = workbench();
    await w.command('managedAgents.agents.focus');
    await w.treeAction('Careful Operator', 'Start Session', tabOfSession('New Session'));
    const start = new NewSession(workbench);
    await start.start(await start.frame(), request, tabOfSession(request));
    const frame = await new SessionPanels(workbench).live(request);
    await frame.locator('button:enabled', { hasText: /^Allow \(A\)$/ }).waitFor();
    await w.clearNotifications();
    await w.screenshot('readme-session');
  });
});
