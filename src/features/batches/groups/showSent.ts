import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ServiceError } from '../../../client/transport/errors';
import { failureCauseOf } from '../../../common/asking/failureCause';
import { type Offer, offer, showFailure, showInformation, showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { fileNameOf } from '../../../common/files/fileNameOf';
import { toLabel } from '../../../shared/text';
import { runOf, type Submission, submissionFiles } from '../../ledger';
import { askAboutUnknown, type ReconcileDependencies, toLog } from '../reconciling/askAboutUnknown';
import { describeFailure, describeRepeat, type MessageContext } from '../submitting/createBatchMessages';
import { showCreated } from '../submitting/showCreated';
import type { SubmitOutcome } from '../submitting/submit';
import type { RunOutcome } from './sendRun';

/** Shows the outcome of sending a run and offers the next action. Settles when the user has responded. */
export async function showSent(deps: ReconcileDependencies, target: vscode.Uri, outcome: RunOutcome): Promise<void> {
  const context: MessageContext = { translate: vscode.l10n.t, locale: vscode.env.language };
  const { created, stopped } = outcome;
  if (stopped === undefined) {
    return await showCreated(deps.registry.all(), created);
  }
  if (created.length > 0 || stopped.index > 0 || stopped.outcome === undefined) {
    return await showStopped(deps, target, { ...outcome, stopped }, context);
  }
  // If no part was sent, shows the message for a single batch.
  const { outcome: end } = stopped;
  switch (end.kind) {
    case 'conflict':
      await showWarning(vscode.l10n.t('Not sent. {0}', describeRepeat(end.other, context, { source: target.toString() })));
      return;
    case 'unknown':
      return await askAboutUnknown(deps, end.submission);
    case 'failed':
      return await showFailed(deps, target, end, context);
  }
}

type Stopped = NonNullable<RunOutcome['stopped']>;
type Failure = Extract<SubmitOutcome, { kind: 'failed' }>;

async function showFailed(deps: ReconcileDependencies, target: vscode.Uri, failure: Failure, context: MessageContext): Promise<void> {
  const { submission, reason, error } = failure;
  const line = await refusedLine(deps, submission, error);
  const described = describeFailure({ reason, error, fileName: fileNameOf(target), bodyBytes: submission.bodyBytes }, context);
  const message = line === undefined ? described : vscode.l10n.t('{0} See line {1}.', described, line + 1);
  const again: Offer = [vscode.l10n.t('Try Again'), () => sendAgain(target, submission)];
  if (reason === 'canceled') {
    return await offer(showInformation, message, again);
  }
  await offer(showFailure, message, line !== undefined && goToLine(target, line), ...offersFor(error), again);
}

/** Opens the sheet with the requests of a submission selected, so that no other requests of the file are sent. */
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

function goToLine(target: vscode.Uri, line: number): Offer {
  return [
    vscode.l10n.t('Go to Line {0}', line + 1),
    async () => {
      const selection = new vscode.Range(line, 0, line, 0);
      // Also shows files that are too big for extensions to open.
      await vscode.commands.executeCommand('vscode.open', target, { selection } satisfies vscode.TextDocumentShowOptions);
    },
  ];
}

function offersFor(error: unknown): readonly Offer[] {
  if (!(error instanceof ServiceError)) {
    return [];
  }
  if (error.kind === 'request_too_large') {
    const openSettings = () => vscode.commands.executeCommand('workbench.action.openSettings', 'managedAgents.connections');
    return [[vscode.l10n.t('Open Settings'), openSettings]];
  }
  const cause = error.kind === 'not_found' ? 'connection' : failureCauseOf(error.kind);
  const setKey: Offer = [vscode.l10n.t('Set API Key'), () => runCommand('managedAgents.connection.setKey')];
  const test: Offer = [vscode.l10n.t('Test Connection'), () => runCommand('managedAgents.connection.test')];
  return cause === 'elsewhere' ? [] : [cause === 'key' ? setKey : test];
}

async function showStopped(
  { registry }: ReconcileDependencies,
  target: vscode.Uri,
  { groupId, count, stopped: { index, outcome } }: RunOutcome & { readonly stopped: Stopped },
  context: MessageContext,
): Promise<void> {
  const name = toLabel(fileNameOf(target), 80);
  const sent = vscode.l10n.t('{0} of {1} parts of {2} were sent before.', index, count, name);
  if (outcome?.kind === 'unknown') {
    const message = vscode.l10n.t(
      'Part {0} of {1} may have become a batch. {2} Check it before you send the rest.',
      index + 1,
      count,
      sent,
    );
    return await offer(showWarning, message, toLog(outcome.submission));
  }
  const message = vscode.l10n.t('Part {0} of {1} was not sent. {2} {3}', index + 1, count, describeStop(target, outcome, context), sent);
  const part = registry.all().find(({ group }) => group !== undefined && group.id === groupId);
  const run = part && runOf(registry.all(), part);
  const send = run && (() => runCommand('managedAgents.group.resume', { runId: run.id }));
  await offer(showWarning, message, send && [vscode.l10n.t('Send Remaining Parts'), send]);
}

function describeStop(target: vscode.Uri, outcome: Exclude<Stopped['outcome'], { kind: 'unknown' }>, context: MessageContext): string {
  if (outcome === undefined) {
    return vscode.l10n.t('Sending was canceled.');
  }
  if (outcome.kind === 'conflict') {
    return describeRepeat(outcome.other, context, { source: target.toString() });
  }
  const { reason, error, submission } = outcome;
  return describeFailure({ reason, error, fileName: fileNameOf(target), bodyBytes: submission.bodyBytes }, context);
}

/**
 * Returns the 0-based source line of the request that a service error names, by index (`requests.12.params...`, `requests[12]`) or by a
 * quoted custom_id. If two lines have the id, the later line wins. Returns `undefined` if the error names no request, or if `linesPath`,
 * the submission's line map, does not exist.
 */
export async function findNamedLine(linesPath: string, serviceMessage: string): Promise<number | undefined> {
  const index = /\brequests(?:\.|\[)(\d+)/.exec(serviceMessage)?.[1];
  const quoted = new Set(
    Array.from(serviceMessage.matchAll(/["'`\u2018\u201c]([A-Za-z0-9_-]{1,64})["'`\u2019\u201d]/g), match => match[1]),
  );
  if (index === undefined && quoted.size === 0) {
    return undefined;
  }
  let rows: string[];
  try {
    rows = (await readFile(linesPath, 'utf8')).split('\n');
  } catch {
    return undefined;
  }
  const row =
    index === undefined ? rows.findLast(candidate => quoted.has(candidate.slice(candidate.indexOf('\t') + 1))) : rows[Number(index)];
  const line = Number.parseInt(row ?? '', 10);
  return Number.isNaN(line) ? undefined : line;
}
