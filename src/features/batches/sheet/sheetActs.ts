import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { runCommand } from '../../../common/commands';
import { readLayers } from '../../../common/settings';
import type { BatchFileReport } from '../../../jsonl/checking/batchFileReport';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { FileSurvey } from '../../../jsonl/survey/fileSurvey';
import type { SheetAct, SheetPrice } from '../../../shared/sheet/sheetProtocol';
import { toLabel } from '../../../shared/text';
import { runOf } from '../../ledger';
import { ResultsFetchError } from '../fetching/fetchErrors';
import { fetchRun } from '../fetching/fetchRun';
import { describeMoved } from '../fetching/resultsMessages';
import { askAct } from '../retrying/askAct';
import { writeRetryFile } from '../retrying/writeRetryFile';
import type { CreateBatchDependencies } from '../submitting/createBatchDependencies';
import { nameOf } from '../submitting/createBatchTarget';
import { writeMarkedCopy, writePrimer } from './cacheFiles';
import type { PreparedContent } from './preparedContent';
import type { SheetKnowledge } from './sheetKnowledge';

/** The sheet that an action belongs to. */
export interface ActContext extends Pick<CreateBatchDependencies, 'connections' | 'registry' | 'rules' | 'log'> {
  readonly target: vscode.Uri;
  readonly jobs: JsonlJobs;
  readonly content: PreparedContent;
  readonly report: BatchFileReport;
  readonly survey: FileSurvey | undefined;
  readonly knowledge: SheetKnowledge;
  readonly sheetColumn: vscode.ViewColumn | undefined;
  /** Shows the sheet of a file, from which a batch can be created. */
  readonly showSheet: (file: vscode.Uri) => Promise<void>;
  /** Aborted when the sheet is closed. */
  readonly lifetime: AbortSignal;
}

/** Actions that the sheet handles itself. */
type OwnAct = 'close' | 'checkAgain' | 'leadOn' | 'choose' | 'stopSending' | 'stopEstimate' | 'startEstimate' | 'setUserProfile';

/** Runs the action of a link or button. */
export async function runAct(act: Exclude<SheetAct, { type: OwnAct }>, context: ActContext): Promise<void> {
  const { target, report, knowledge, rules } = context;
  const { retry } = knowledge.choices ?? {};
  switch (act.type) {
    case 'copySha':
      await vscode.env.clipboard.writeText(report.sha256);
      vscode.window.setStatusBarMessage(vscode.l10n.t('Copied'), 2000);
      break;
    case 'openPlace':
      await openFile(context, new vscode.Range(act.line, act.start, act.line, act.end));
      break;
    case 'showProblems':
      await openFile(context, undefined);
      await vscode.commands.executeCommand('workbench.actions.view.problems');
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
    case 'switchConnection':
      await runCommand('managedAgents.connection.switch');
      break;
    case 'resolve': {
      const unresolved = knowledge.repeats.find(({ state }) => state === 'unknown');
      await runCommand('managedAgents.submission.resolve', unresolved && { submissionId: unresolved.id });
      break;
    }
    case 'chooseCause': {
      const group = retry?.choice.find(act.cause);
      if (group !== undefined) {
        retry?.choice.choose(group, act.isChosen);
        await knowledge.prepareAgain();
      }
      break;
    }
    case 'changeCause': {
      const group = retry?.choice.find(act.cause);
      if (group !== undefined) {
        const models = rules.models()?.map(({ id }) => id);
        retry?.choice.change(group, await askAct(group, models));
        await knowledge.prepareAgain();
      }
      break;
    }
    case 'writeRetry':
      if (retry !== undefined && retry.choice.count > 0) {
        await writeRetryFile(context, retry.sources, retry.choice.groups, toLabel(nameOf(target), 80));
      }
      break;
    case 'fetchEarlier':
      await fetchEarlier(context);
      break;
    case 'setPrices':
      await setPrices(act.prices);
      break;
    case 'mark':
      await writeMarkedCopy(context, act.prefix, act.ttl);
      break;
    case 'writePrimer':
      await writePrimer(context, act.prefix);
      break;
  }
}

/** Fetches missing results for a comparison with earlier runs. */
async function fetchEarlier({ knowledge, lifetime, ...deps }: ActContext): Promise<void> {
  const all = deps.registry.all();
  const runs = new Set(knowledge.choices?.unfetched.flatMap(submission => runOf(all, submission) ?? []));
  await withProgress(vscode.l10n.t('Fetching results of {0}', toLabel(nameOf(deps.target), 80)), lifetime, async (signal, report) => {
    for (const [at, run] of [...runs].entries()) {
      const { failed, fileError, best } = await fetchRun(deps, run, {
        signal,
        onProgress: ({ share }) => report('', (at + share) / runs.size),
      });
      // Results that the service no longer has aren't an error.
      const failure = failed.find(({ error }) => !(error instanceof ResultsFetchError && error.kind === 'gone'))?.error ?? fileError;
      if (failure !== undefined) {
        throw failure;
      }
      if (best?.movedTo !== undefined) {
        void showInformation(describeMoved(best.movedTo, { translate: vscode.l10n.t, locale: vscode.env.language }));
      }
    }
  });
  await knowledge.refreshRuns();
}

/** Stores prices in the user's settings. Other prices of the models are unchanged. */
async function setPrices(prices: readonly SheetPrice[]): Promise<void> {
  const key = 'managedAgents.estimate.prices';
  const { user = {} } = readLayers(key);
  const changed = prices.map(({ model, input, output }) => [model, { ...user[model], input, output }] as const);
  await vscode.workspace.getConfiguration().update(key, { ...user, ...Object.fromEntries(changed) }, vscode.ConfigurationTarget.Global);
}

/** Shows the file where it is open already, or beside the sheet. Can also show files that are too big for extensions. */
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
