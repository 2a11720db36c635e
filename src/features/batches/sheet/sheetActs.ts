import * as vscode from 'vscode';
import { runCommand } from '../../../common/commands';
import type { BatchFileReport } from '../../../jsonl/checking/batchFileReport';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { FileSurvey } from '../../../jsonl/survey/fileSurvey';
import type { SheetAct } from '../../../shared/sheet/sheetProtocol';
import type { Submission } from '../../ledger';
import type { ChosenRequests } from '../submitting/chosenRequests';
import type { CreateBatchDependencies } from '../submitting/createBatchDependencies';
import { writeMarkedCopy, writePrimer } from './cacheFiles';
import type { PreparedContent } from './preparedContent';

/** What the acts of a sheet are about. */
export interface ActContext {
  readonly target: vscode.Uri;
  readonly jobs: JsonlJobs;
  readonly content: PreparedContent;
  readonly report: BatchFileReport;
  readonly survey: FileSurvey | undefined;
  readonly repeats: readonly Submission[];
  readonly chosen: ChosenRequests | undefined;
  readonly sheetColumn: vscode.ViewColumn | undefined;
  /** Shows the sheet of a file from which a batch of it can be created. */
  readonly showSheet: (file: vscode.Uri) => Promise<void>;
  /** For what goes on when the sheet is closed. */
  readonly creating: CreateBatchDependencies;
  /** Aborted when the sheet is closed. */
  readonly lifetime: AbortSignal;
}

/** Bytes of a file from which on extensions do not see it in the editor. */
const editorLimit = 50 * 1024 * 1024;

/** What the sheet itself does. */
type OwnAct = 'close' | 'checkAgain' | 'stopSending' | 'stopEstimate' | 'startEstimate' | 'setUserProfile';

/** Does what a link or button of the sheet says. */
export async function runAct(act: Exclude<SheetAct, { type: OwnAct }>, context: ActContext): Promise<void> {
  const { target, report, repeats, chosen } = context;
  switch (act.type) {
    case 'copySha':
      await vscode.env.clipboard.writeText(report.sha256);
      vscode.window.setStatusBarMessage(vscode.l10n.t('Copied'), 2000);
      break;
    case 'openPlace':
      await openFile(context, new vscode.Range(act.line, act.start, act.line, act.end));
      break;
    case 'showProblems':
      if (report.fileBytes > editorLimit) {
        await runCommand('managedAgents.file.check', target);
      } else {
        await openFile(context, undefined);
        await vscode.commands.executeCommand('workbench.actions.view.problems');
      }
      break;
    case 'showReport':
      await runCommand('managedAgents.file.check', target);
      break;
    case 'showTable':
      await runCommand('managedAgents.requests.showTable', target);
      break;
    case 'fix':
      await runCommand('managedAgents.file.fix', target);
      break;
    case 'convert':
      await runCommand('managedAgents.file.convert', target);
      break;
    case 'split':
      await runCommand('managedAgents.file.arrange', target);
      break;
    case 'resolve': {
      const unresolved = repeats.find(({ state }) => state === 'unknown');
      await runCommand('managedAgents.submission.resolve', unresolved && { submissionId: unresolved.id });
      break;
    }
    case 'showWhy':
      await chosen?.note?.showWhy?.();
      break;
    case 'openPrices':
      await vscode.commands.executeCommand('workbench.action.openSettings', 'managedAgents.estimate');
      break;
    case 'leadOn':
      await context.showSheet(target);
      break;
    case 'mark':
      await writeMarkedCopy(context, act.prefix, act.ttl);
      break;
    case 'writePrimer':
      await writePrimer(context, act.prefix);
      break;
  }
}

/** Shows the file where it is shown already, or beside the sheet; also one that is too big for extensions to open. */
async function openFile({ target, sheetColumn }: ActContext, selection: vscode.Range | undefined): Promise<void> {
  const group = vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === target.toString()),
  );
  const beside = sheetColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Two : vscode.ViewColumn.One;
  await vscode.commands.executeCommand('vscode.open', target, {
    viewColumn: group?.viewColumn ?? beside,
    ...(selection && { selection }),
  } satisfies vscode.TextDocumentShowOptions);
}
