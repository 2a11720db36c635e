import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { MessageBatch } from '../../client/schemas/messageBatches';
import { CancelledError } from '../../common/cancellation';
import { type Clock, systemClock } from '../../common/clock';
import { runCommand } from '../../common/commands';
import type { Log } from '../../common/log';
import { showFailure, showInformation, showWarning } from '../../common/notifications';
import { withProgress } from '../../common/progress';
import { toByteSize, toLabel } from '../../common/text';
import type { BatchFileReport } from '../../jsonl/batchFileReport';
import type { JsonlJobs } from '../../jsonl/jobs';
import type { Connection, Connections } from '../connection/connection';
import type { RuleSettings } from '../jsonl/ruleSettings';
import { readyConnection } from './createBatchConnection';
import { askToCreate, type CreateQuestion, describeErrors, describeRepeat, type MessageContext } from './createBatchMessages';
import { isForTheServiceToJudge } from './createBatchProblems';
import { chooseTarget, nameOf, readContent } from './createBatchTarget';
import type { SubmissionRegistry } from './submissionRegistry';
import { isRepeat, type SubmitOutcome, type SubmitRequest, submit } from './submit';
import { showOutcome } from './submitOutcome';

export interface CreateBatchDependencies {
  readonly log: Log;
  readonly connections: Connections;
  readonly rules: RuleSettings;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
  readonly clock?: Clock;
  /** Told of a batch as soon as it is known to be ours. */
  readonly onBatchChanged?: (connection: string, batch: MessageBatch) => void;
  /** Aborted when the window goes. */
  readonly lifetime: AbortSignal;
  /** URIs of files that a batch is being created from. */
  readonly busy: Set<string>;
}

/** Creates a batch from the given file, or from the one the user means. */
export async function createBatchFrom(deps: CreateBatchDependencies, given: vscode.Uri | undefined): Promise<void> {
  await createOnce(deps, await chooseTarget(given), false);
}

/** How far creating a batch came. */
type Creation = SubmitOutcome | { readonly kind: 'problems'; readonly report: BatchFileReport };

async function createOnce(deps: CreateBatchDependencies, target: vscode.Uri, insists: boolean): Promise<void> {
  const key = target.toString();
  if (deps.busy.has(key)) {
    void showInformation(vscode.l10n.t('A batch is being created from {0} already.', toLabel(nameOf(target), 80)));
    return;
  }
  deps.busy.add(key);
  let creation: Creation;
  try {
    creation = await createBatch(deps, target, insists);
  } finally {
    deps.busy.delete(key);
  }
  // Not awaited: the message stays until the user answers it, this act has ended.
  const shown = creation.kind === 'problems' ? showProblems(deps, target, creation.report) : showOutcome(deps, target, creation);
  shown.catch(error => deps.log.error('A message could not be shown', error));
}

async function createBatch(deps: CreateBatchDependencies, target: vscode.Uri, insists: boolean): Promise<Creation> {
  const { registry, connections } = deps;
  const connection = await readyConnection(connections);
  await registry.load();
  const submissionId = randomUUID();
  try {
    const content = await readContent(target, () => registry.prepare(submissionId));
    const report = await check(deps, target, content.path, connection);
    if (report.requestCount === 0 || (report.problemCounts.error > 0 && !(insists && isForTheServiceToJudge(report)))) {
      return { kind: 'problems', report };
    }
    const client = await connections.client(connection);
    const knownBefore = await confirm(deps, {
      connection: connection.name,
      host: new URL(client.baseUrl).host,
      fileName: nameOf(target),
      fromEditor: content.fromEditor,
      report,
    });
    const source = target.toString();
    return await send(deps, { submissionId, connection: connection.name, client, source, ...content, report, knownBefore }, nameOf(target));
  } finally {
    await registry.discard(submissionId);
  }
}

async function check(
  { jobs, rules, lifetime }: CreateBatchDependencies,
  target: vscode.Uri,
  path: string,
  connection: Connection,
): Promise<BatchFileReport> {
  return await withProgress(vscode.l10n.t('Checking {0}', toLabel(nameOf(target), 80)), lifetime, (signal, report) =>
    jobs.checkFile(path, { limits: connection.limits, rules: rules.options(target) }, {
      signal,
      onProgress: ({ doneBytes, totalBytes }) => report('', totalBytes === 0 ? 1 : doneBytes / totalBytes),
    }),
  );
}

/** Tells why a file is not sent as it stands, and what can be done. */
async function showProblems(deps: CreateBatchDependencies, target: vscode.Uri, report: BatchFileReport): Promise<void> {
  const show = vscode.l10n.t('Show Problems');
  const insist = vscode.l10n.t('Create Anyway');
  const isEmpty =
    report.requestCount === 0 && report.problems.every(({ rule, severity }) => severity !== 'error' || rule === 'no-requests');
  const message = isEmpty
    ? vscode.l10n.t('{0} holds no requests. Nothing was sent.', toLabel(nameOf(target), 80))
    : describeErrors(nameOf(target), report, messageContext());
  const choices = isForTheServiceToJudge(report) ? [show, insist] : [show];
  const choice = await showFailure(message, ...choices);
  if (choice === show) {
    await runCommand('managedAgents.file.check', target);
  } else if (choice === insist) {
    await createOnce(deps, target, true);
  }
}

/** Asks the one question before anything is sent; settles with the earlier submissions that the user was told of. */
async function confirm({ registry }: CreateBatchDependencies, asked: Omit<CreateQuestion, 'repeats'>): Promise<ReadonlySet<string>> {
  await registry.reload();
  const repeats = registry.all().filter(other => isRepeat({ sha256: asked.report.sha256, connection: asked.connection }, other));
  const context = messageContext();
  const sending = repeats.find(({ state }) => state === 'sending');
  if (sending !== undefined) {
    void showWarning(describeRepeat(sending, context));
    throw new CancelledError();
  }
  const { message, detail } = askToCreate({ ...asked, repeats }, context);
  const create = repeats.length === 0 ? vscode.l10n.t('Create Batch') : vscode.l10n.t('Create Another Batch');
  const unresolved = repeats.find(({ state }) => state === 'unknown');
  const resolve = vscode.l10n.t('Find Out What Happened');
  const buttons = unresolved === undefined ? [create] : [resolve, create];
  const show = repeats.length === 0 ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  const choice = await show(message, { modal: true, detail }, ...buttons);
  if (choice === resolve && unresolved !== undefined) {
    await runCommand('managedAgents.submission.resolve', { submissionId: unresolved.id });
  }
  if (choice !== create) {
    throw new CancelledError();
  }
  return new Set(repeats.map(({ id }) => id));
}

async function send(deps: CreateBatchDependencies, request: SubmitRequest, fileName: string): Promise<SubmitOutcome> {
  const { registry, jobs, log, clock = systemClock, lifetime, onBatchChanged } = deps;
  const { bodyBytes } = request.report;
  const locale = vscode.env.language;
  const title = vscode.l10n.t('Sending {0} to {1}', toLabel(fileName, 80), toLabel(request.connection, 80));
  const outcome = await withProgress(title, lifetime, (signal, report) =>
    submit({ registry, jobs, clock, log }, request, {
      signal,
      onProgress: sent =>
        report(
          sent < bodyBytes
            ? vscode.l10n.t('{0} of {1}', toByteSize(sent, locale), toByteSize(bodyBytes, locale))
            : vscode.l10n.t('{0} sent, waiting for the answer', toByteSize(bodyBytes, locale)),
          sent / bodyBytes,
        ),
    }),
  );
  if (outcome.kind === 'created') {
    onBatchChanged?.(request.connection, outcome.batch);
  }
  return outcome;
}

function messageContext(): MessageContext {
  return { translate: vscode.l10n.t, locale: vscode.env.language };
}
