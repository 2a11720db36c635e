import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import type { Log } from '../../common/log';
import { showInformation } from '../../common/notifications';
import { ReadonlyDocuments } from '../../common/readonlyDocuments';
import { readSetting } from '../../common/settings';
import type { JsonlJobs } from '../../jsonl/jobs';
import type { SubmissionRegistry } from '../batches/submissionRegistry';
import type { Connections } from '../connection/connection';
import { AnswerDecorations } from './answerDecorations';
import { FileCheck } from './checkFile';
import { DocumentAnswers } from './documentAnswers';
import { registerEditing } from './editing';
import { openAnswer } from './openAnswer';
import { openSample } from './openSample';
import { RequestCodeLensProvider } from './requestCodeLensProvider';
import { registerDiagnostics } from './requestDiagnostics';
import { RequestDocuments } from './requestDocuments';
import { RequestRuns } from './requestRuns';
import { registerStatusItem } from './requestStatusItem';
import { runRequest } from './runRequest';

export { readDocument } from './documentSnapshot';

export interface JsonlDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
}

/** What request files show and can do in the editor: problems, lenses, single runs, answers beside requests. */
export function registerJsonl(dependencies: JsonlDependencies): vscode.Disposable {
  const { context, commands, log, connections, jobs, registry } = dependencies;
  const documents = new RequestDocuments(connections, log);
  const answers = new DocumentAnswers(documents, registry, log);
  const pages = new ReadonlyDocuments('managed-agents-answer', () =>
    vscode.l10n.t('This answer is no longer kept. Run the request, or open its answer, again.'),
  );
  const runs = new RequestRuns(connections, pages, log);
  const snapshotFolder = path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'snapshots');
  const check = new FileCheck(jobs, connections, snapshotFolder);
  return combine(
    documents,
    answers,
    pages,
    runs,
    check,
    registerDiagnostics(documents),
    registerStatusItem(documents),
    new RequestCodeLensProvider(documents, connections, answers),
    registerEditing({ ...dependencies, documents }),
    new AnswerDecorations(documents, answers, error => log.error('Could not show answers', error)),
    commands.register('managedAgents.file.check', file => check.run(file)),
    commands.register('managedAgents.sample.open', () => openSample(context.extensionUri)),
    commands.register('managedAgents.request.run', (file, line, version) =>
      runRequest({ documents, connections, runs }, file, toLine(line), toLine(version)),
    ),
    commands.register('managedAgents.request.stop', () => stopRequest(runs)),
    commands.register('managedAgents.answer.open', (file, line, version) =>
      openAnswer({ documents, answers, pages }, file, toLine(line), toLine(version)),
    ),
    commands.register('managedAgents.answers.toggle', toggleAnswers),
  );
}

/** Menus hand over things of their own after the URI. */
function toLine(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function stopRequest(runs: RequestRuns): void {
  if (!runs.stop(vscode.window.activeTextEditor?.document.uri)) {
    void showInformation(vscode.l10n.t('No request is running.'));
  }
}

/** Changes the setting where it is set, or for the user. */
async function toggleAnswers(): Promise<void> {
  const key = 'managedAgents.editor.answers';
  const isWorkspaceSetting = vscode.workspace.getConfiguration().inspect(key)?.workspaceValue !== undefined;
  const target = isWorkspaceSetting ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration().update(key, !readSetting(key), target);
}
