import path from 'node:path';
import { picker } from '../page/quickInputs';
import { useWorkbench } from './workbench';

/** The walkthrough's steps as a new user takes them, using only visible elements. */
describe('the six steps of the walkthrough @nightly', () => {
  const file = 'questions-2.jsonl';
  const workbench = useWorkbench({
    workspace: path.resolve('media/samples'),
    settings: { 'managedAgents.emulator.batchSeconds': 1 },
  });

  /** Takes screenshots in both window sizes. */
  async function pictures(name: string): Promise<void> {
    const w = workbench();
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
    ] as const) {
      await w.page.setViewportSize({ width, height });
      await w.screenshot(`six-${name}-${width}`);
    }
  }

  const row = (text: RegExp) => workbench().page.getByRole('treeitem', { name: text });

  it('are completed using only what is on screen', async () => {
    const w = workbench();
    // Checks a file.
    await w.openViewContainer('Managed Agents');
    await w.welcomeButton('Try It with a Sample', `${picker} .monaco-list-row:has-text("questions.jsonl")`);
    await pictures('0-welcome');
    await w.quickPick('questions.jsonl', '.statusbar-item:has-text("Emulator")');
    await w.codeLenses('Create Batch (12 requests');
    await pictures('1-check');

    // Sends the file.
    await w.codeLens('Create Batch (12 requests', w.sheetTab(file));
    await w.sheetSays(file, 'No problems found');
    await pictures('2-send');
    await w.createFromSheet(file);

    // Reads the answers.
    await w.notification(/The batch of questions-2\.jsonl has ended/);
    await w.notificationButton('The batch of questions-2.jsonl has ended', 'Show Results');
    const frame = await w.webview('[role="row"]:has-text("Santiago")');
    await w.click(frame.getByRole('row', { name: /capital-of-chile/ }), frame.getByRole('region', { name: /capital-of-chile/ }));
    await pictures('3-read');
    await w.openFile(file);
    await w.answerShown('Santiago', 'capital-of-chile');
    await pictures('3-lines');

    // Retries the requests without a complete answer.
    await w.codeLens('1 cut short', w.sheetTab(file));
    await w.sheetSays(file, /Raise max_tokens/);
    await pictures('4-retry');
    await w.createFromSheet(file);
    await row(/questions-2\.jsonl, Retry of 1, /).waitFor();

    // Changes a request and sends only this request.
    await w.notification(/The batch of questions-2\.jsonl has ended/);
    await w.clearNotifications();
    await w.openFile(file);
    await w.replace('Chile', 'Peru');
    await w.save();
    await w.codeLens('Create Batch', w.sheetTab(file));
    await w.sheetSays(file, 'Changed since the last run: 1');
    await w.chooseInSheet(file, /Changed since the last run: 1/);
    await w.sheetSays(file, 'Send 1 Request');
    await pictures('5-again');
    await w.createFromSheet(file);
    await w.notification(/The batch of questions-2\.jsonl has ended/);
    await w.clearNotifications();

    // Compares two runs.
    await w.runCommand('Managed Agents: Compare Runs...', `${picker} .monaco-list-row:has-text("All 12")`);
    await pictures('6-choose');
    await w.quickPick('All 12', `${picker}:not(:has-text("All 12")) .monaco-list-row:has-text("with its retries")`);
    await w.quickPick('with its retries', '.tab.active:has-text("Two runs of")');
    await w.webview('.summary:has-text("the same")');
    await pictures('6-compare');
  });
});
