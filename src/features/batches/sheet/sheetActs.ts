import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice, askText, type Choice } from '../../../common/asking/askSteps';
import { offer, showInformation } from '../../../common/asking/notifications';
import { toReport, withProgress } from '../../../common/asking/progress';
import { runCommand } from '../../../common/commands';
import { openWhereShown } from '../../../common/documents/tabs';
import { fileNameOf } from '../../../common/files/fileNameOf';
import { readLayers } from '../../../common/settings';
import { describeRequests } from '../../../common/text/presentation';
import type { JobOptions } from '../../../jsonl/jobs/jobs';
import type { RetryGroup } from '../../../jsonl/retrying/planRetry';
import { nextMaxTokens, type RequestChange } from '../../../jsonl/retrying/remedyOf';
import { contractModels } from '../../../jsonl/rules/modelNames';
import type { CacheTtl, FileSurvey, MarkReport, SharedPrefix } from '../../../jsonl/survey/fileSurvey';
import { numberFormat } from '../../../shared/formats';
import type { SheetAct, SheetPrice } from '../../../shared/sheet/sheetProtocol';
import { join, toLabel } from '../../../shared/text';
import { noteRetryFile, runOf } from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import { describeMoved, ResultsFetchError } from '../fetching/fetchMessages';
import { fetchRun } from '../fetching/fetchRun';
import { newPathBeside } from '../fetching/resultsFile';
import { describeAct, describeMaxTokensProblem, type PlannedAct } from '../retrying/retryPresentation';
import type { Retry } from './choices';
import type { Checked } from './preparedContent';
import type { SheetKnowledge } from './sheetKnowledge';

interface ActContext extends Checked, Pick<BatchDependencies, 'connections' | 'registry' | 'rules' | 'log' | 'jobs'> {
  readonly target: vscode.Uri;
  readonly survey: FileSurvey | undefined;
  readonly knowledge: SheetKnowledge;
  readonly sheetColumn: vscode.ViewColumn | undefined;
  readonly lifetime: AbortSignal;
}

/** Actions that the sheet handles itself. */
type OwnAct =
  | ('close' | 'checkAgain' | 'leadOn' | 'choose' | 'stopSending')
  | ('stopEstimate' | 'startEstimate' | 'countSample' | 'stopCount');

const commandOf = {
  showTable: 'managedAgents.requests.showTable',
  fix: 'managedAgents.file.fix',
  convert: 'managedAgents.file.convert',
  split: 'managedAgents.file.arrange',
} as const;

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
      await openFile(context);
      await vscode.commands.executeCommand('workbench.actions.view.problems');
      break;
    case 'fix':
      await runCommand(commandOf.fix, target);
      await knowledge.refreshChanges();
      if (knowledge.changes.length > 0) {
        await knowledge.checkSaved();
      }
      break;
    case 'showTable':
    case 'convert':
    case 'split':
      await runCommand(commandOf[act.type], target);
      break;
    case 'switchConnection':
      await runCommand('managedAgents.connection.switch');
      break;
    case 'resolve': {
      const unresolved = knowledge.repeats.find(({ state }) => state === 'unknown');
      await runCommand('managedAgents.submission.resolve', unresolved && { submissionId: unresolved.id });
      break;
    }
    case 'setUserProfile':
      await askUserProfile(context);
      // A request may contradict the new user profile.
      await knowledge.checkAgain();
      break;
    case 'chooseCause':
    case 'changeCause': {
      const { choice } = retry ?? {};
      const group = choice?.find(act.cause);
      if (group !== undefined) {
        if (act.type === 'chooseCause') {
          choice?.choose(group, act.isChosen);
        } else {
          const models = rules.models()?.map(({ id }) => id);
          choice?.change(group, await askAct(group, models));
        }
        await knowledge.prepareAgain();
      }
      break;
    }
    case 'writeRetry':
      if (retry !== undefined && retry.choice.count > 0) {
        await writeRetryFile(context, retry);
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

async function fetchEarlier({ knowledge, lifetime, ...deps }: ActContext): Promise<void> {
  const all = deps.registry.all();
  const runs = new Set(knowledge.choices?.unfetched.flatMap(submission => runOf(all, submission) ?? []));
  await withProgress(vscode.l10n.t('Fetching results of {0}', toLabel(fileNameOf(deps.target), 80)), lifetime, async (signal, report) => {
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

async function writeRetryFile({ jobs, registry, lifetime, target }: ActContext, { sources, choice }: Retry): Promise<void> {
  const { root, plan } = sources;
  const outPath = await newPathBeside(vscode.Uri.parse(root.source), 'retry', vscode.l10n.t('Save Failed Requests'));
  const title = vscode.l10n.t('Writing the failed requests of {0}', toLabel(fileNameOf(target), 80));
  const { sha256 } = await withProgress(title, lifetime, (signal, report) =>
    jobs.run('writeRetry', { files: plan.files, groups: choice.groups, outPath }, { signal, onProgress: toReport(report) }),
  );
  const source = vscode.Uri.file(outPath);
  await noteRetryFile(registry, root.lead.id, { source: source.toString(), sha256 });
  await vscode.commands.executeCommand('vscode.open', source);
}

async function askUserProfile({ connections, destination: { connection } }: ActContext): Promise<void> {
  if (connection === undefined) {
    return;
  }
  const id = await askText({
    title: vscode.l10n.t('User Profile of {0}', toLabel(connection.name, 60)),
    value: connection.userProfileId ?? '',
    prompt: vscode.l10n.t('ID of the user profile that every request of a batch is attributed to. Leave empty for none.'),
    validate: text => (/^[\x21-\x7e]*$/.test(text.trim()) ? undefined : vscode.l10n.t('A user profile ID can only have ASCII characters.')),
  });
  await connections.setUserProfile(connection, id.trim() === '' ? undefined : id.trim());
}

/** Saves prices in the user settings. Keeps the prices of other models. */
async function setPrices(prices: readonly SheetPrice[]): Promise<void> {
  const key = 'managedAgents.estimate.prices';
  const { user = {} } = readLayers(key);
  const changed = prices.map(({ model, input, output }) => [model, { ...user[model], input, output }] as const);
  await vscode.workspace.getConfiguration().update(key, { ...user, ...Object.fromEntries(changed) }, vscode.ConfigurationTarget.Global);
}

async function openFile({ target, sheetColumn }: ActContext, selection?: vscode.Range): Promise<void> {
  await openWhereShown(target, sheetColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Two : vscode.ViewColumn.One, selection);
}

/** Writes a copy of the file with `cache_control` after one or all of the listed prefixes, and offers to send the copy. */
async function writeMarkedCopy(context: ActContext, id: string | undefined, ttl: CacheTtl): Promise<void> {
  const source = { path: context.content.path, prefixes: prefixesOf(context, id), ttl };
  await writeCopy(context, 'cached', async (outPath, name, options) =>
    describeMarked(name, await context.jobs.run('markPrefixes', { ...source, outPath }, options)),
  );
}

async function writePrimer(context: ActContext, id: string | undefined): Promise<void> {
  const source = { path: context.content.path, prefixes: prefixesOf(context, id), ttl: '1h' } as const;
  await writeCopy(context, 'primer', async (outPath, name, options) => {
    const { requests } = await context.jobs.run('writePrimer', { ...source, outPath }, options);
    return vscode.l10n.t('Primer requests written to {0}: {1}. Send them first.', name, requests);
  });
}

/** Writes a file beside the sheet's file with `write`, which returns a message, and offers to send it. */
async function writeCopy(
  context: ActContext,
  kind: 'cached' | 'primer',
  write: (outPath: string, name: string, options: JobOptions) => Promise<string>,
): Promise<void> {
  const outPath = await newPathBeside(context.target, kind, vscode.l10n.t('Save Requests'));
  const name = toLabel(path.basename(outPath), 80);
  const message = await withProgress(vscode.l10n.t('Writing {0}', name), context.lifetime, (signal, report) =>
    write(outPath, name, { signal, onProgress: toReport(report) }),
  );
  const file = vscode.Uri.file(outPath);
  await offer(
    showInformation,
    message,
    [vscode.l10n.t('Create Batch...'), () => runCommand('managedAgents.batch.create', file)],
    [vscode.l10n.t('Open File'), () => vscode.commands.executeCommand('vscode.open', file)],
  );
}

function prefixesOf({ survey, target }: ActContext, id: string | undefined): readonly SharedPrefix[] {
  const selected = (survey?.prefixes ?? []).filter(prefix => (id === undefined ? prefix.marked < prefix.requests : prefix.id === id));
  if (selected.length === 0) {
    throw new Error(vscode.l10n.t('The estimate of {0} is out of date.', toLabel(fileNameOf(target), 80)));
  }
  return selected;
}

function describeMarked(name: string, { requests, full, otherTtl }: MarkReport): string {
  const { t } = vscode.l10n;
  const number = numberFormat(vscode.env.language);
  return join(
    ' ',
    t('{0}: requests marked for the cache: {1}.', name, number.format(requests)),
    full === 0 ? '' : t('Skipped, because they already have four markers: {0}.', number.format(full)),
    otherTtl === 0 ? '' : t('Lifetimes adjusted: {0}.', number.format(otherTtl)),
  );
}

type ActKind = 'as-is' | 'max-tokens' | 'model' | 'remedy';

/** Asks the user how to change the requests of a group. `models` are the models of the connection, if known. */
async function askAct(group: RetryGroup, models: readonly string[] | undefined): Promise<PlannedAct> {
  const { t } = vscode.l10n;
  const { remedy } = group;
  const context = { translate: t, locale: vscode.env.language, now: Date.now() };
  const requests = describeRequests(group.lines.length, context);
  const choices: Choice<ActKind>[] = [
    { label: t('Send without changes'), value: 'as-is' },
    { label: t('Raise max_tokens...'), value: 'max-tokens' },
    { label: t('Change the model...'), value: 'model' },
  ];
  if (remedy?.kind === 'remove' || remedy?.kind === 'raise_each' || remedy?.kind === 'lower_max_tokens') {
    choices.unshift({ label: toLabel(describeAct(group, { change: remedy }, context), 80), value: 'remedy' });
  }
  const kind = await askChoice({ title: t('Change Requests'), placeholder: t('Select an action for {0}', requests), choices });
  switch (kind) {
    case 'as-is':
      return { change: undefined };
    case 'max-tokens':
      return { change: await askMaxTokens(group) };
    case 'model':
      return { change: await askModel(group, models) };
    case 'remedy':
      return { change: remedy?.kind === 'choose_model' ? undefined : remedy };
  }
}

async function askMaxTokens({ models, remedy, maxAllowed }: RetryGroup): Promise<RequestChange> {
  const { t } = vscode.l10n;
  const most = Math.max(0, ...models.map(({ maxOfOne }) => maxOfOne));
  const proposed = remedy?.kind === 'raise_max_tokens' ? remedy.to : (nextMaxTokens(most, maxAllowed) ?? most);
  const text = await askText({
    title: t('Change Requests'),
    prompt: t('Minimum max_tokens (current maximum: {0})', most),
    value: String(proposed),
    validate: given => describeMaxTokensProblem(given, maxAllowed, { translate: t, locale: vscode.env.language }),
  });
  return { kind: 'raise_max_tokens', to: Number(text) };
}

async function askModel({ models: asked, credit }: RetryGroup, models: readonly string[] | undefined): Promise<RequestChange> {
  const { t } = vscode.l10n;
  const present = new Set(asked.map(({ model }) => model));
  const names = [...new Set([...(credit?.models ?? []), ...(models ?? contractModels)])].filter(name => !present.has(name));
  const other = '';
  const choices: Choice<string>[] = [
    ...names.slice(0, 500).map(name => ({ label: toLabel(name, 100), value: name })),
    { label: t('Enter Model ID...'), value: other },
  ];
  const chosen = await askChoice({ title: t('Change Model'), placeholder: t('Select a model'), choices });
  const model =
    chosen === other
      ? await askText({
          title: t('Change Model'),
          prompt: t('Model ID'),
          validate: text => (text.trim() === '' ? t('Enter a name') : undefined),
        })
      : chosen;
  return { kind: 'set_model', model: model.trim() };
}
