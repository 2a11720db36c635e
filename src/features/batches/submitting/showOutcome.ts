import path from 'node:path';
import * as vscode from 'vscode';
import { ServiceError } from '../../../client/transport/errors';
import { faultPlaceOf } from '../../../common/asking/faultPlace';
import { showFailure, showInformation, showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { type Submission, submissionFiles } from '../../ledger';
import { askAboutUnknown, type ReconcileDependencies } from '../reconciling/askAboutUnknown';
import { describeFailure, describeRepeat, type MessageContext } from './createBatchMessages';
import { nameOf } from './createBatchTarget';
import { findNamedLine } from './findNamedLine';
import { showCreated } from './showCreated';
import type { SubmitOutcome } from './submit';

/** Tells how a submit ended and offers what can be done now. Settles when the user has answered. */
export async function showOutcome(deps: ReconcileDependencies, target: vscode.Uri, outcome: SubmitOutcome): Promise<void> {
  const context: MessageContext = { translate: vscode.l10n.t, locale: vscode.env.language };
  switch (outcome.kind) {
    case 'created':
      await showCreated(deps.registry.all(), outcome.submission, outcome.unsaved);
      break;
    case 'conflict':
      await showWarning(vscode.l10n.t('Nothing was sent. {0}', describeRepeat(outcome.other, context, { source: target.toString() })));
      break;
    case 'unknown':
      await askAboutUnknown(deps, outcome.submission);
      break;
    case 'failed':
      await showFailed(deps, target, outcome, context);
      break;
  }
}

type Failure = Extract<SubmitOutcome, { kind: 'failed' }>;
type Action = readonly [label: string, run: () => Thenable<unknown>];

async function showFailed(deps: ReconcileDependencies, target: vscode.Uri, failure: Failure, context: MessageContext): Promise<void> {
  const { submission, reason, error } = failure;
  const line = await refusedLine(deps, submission, error);
  const described = describeFailure({ reason, error, fileName: nameOf(target), bodyBytes: submission.bodyBytes }, context);
  const message = line === undefined ? described : vscode.l10n.t('{0} (line {1})', described, line + 1);
  const again: Action = [vscode.l10n.t('Try Again'), () => sendAgain(target, submission)];
  const actions = [...(line === undefined ? [] : [goToLine(target, line)]), ...actionsFor(error), again];
  const labels = actions.map(([label]) => label);
  const choice = reason === 'canceled' ? await showInformation(message, again[0]) : await showFailure(message, ...labels);
  await actions.find(([label]) => label === choice)?.[1]();
}

/** Opens the sheet of the same requests: never of the whole file when only some of it were sent. */
async function sendAgain(target: vscode.Uri, { selection, follows, requestCount }: Submission): Promise<void> {
  const purpose = selection?.purpose ?? follows?.purpose ?? 'part';
  const choice = purpose === 'part' ? 'all' : purpose === 'canary' ? 'trial' : purpose;
  await runCommand('managedAgents.batch.create', target, choice, choice === 'trial' ? requestCount : undefined);
}

async function refusedLine({ registry }: ReconcileDependencies, submission: Submission, error: unknown): Promise<number | undefined> {
  if (!(error instanceof ServiceError) || error.kind !== 'invalid_request' || error.serviceMessage === undefined) {
    return undefined;
  }
  return await findNamedLine(path.join(registry.folder(submission.id), submissionFiles.lines), error.serviceMessage);
}

function goToLine(target: vscode.Uri, line: number): Action {
  return [
    vscode.l10n.t('Go to Line {0}', line + 1),
    async () => {
      const place = new vscode.Range(line, 0, line, 0);
      // Also shows files that are too big for extensions to open.
      await vscode.commands.executeCommand('vscode.open', target, { selection: place } satisfies vscode.TextDocumentShowOptions);
    },
  ];
}

function actionsFor(error: unknown): readonly Action[] {
  if (!(error instanceof ServiceError)) {
    return [];
  }
  if (error.kind === 'request_too_large') {
    const openSettings = () => vscode.commands.executeCommand('workbench.action.openSettings', 'managedAgents.connections');
    return [[vscode.l10n.t('Open Settings'), openSettings]];
  }
  switch (error.kind === 'not_found' ? 'connection' : faultPlaceOf(error.kind)) {
    case 'key':
      return [[vscode.l10n.t('Set API Key'), () => runCommand('managedAgents.connection.setKey')]];
    case 'connection':
      return [[vscode.l10n.t('Test Connection'), () => runCommand('managedAgents.connection.test')]];
    case 'elsewhere':
      return [];
  }
}
