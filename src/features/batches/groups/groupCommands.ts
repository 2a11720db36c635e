import * as vscode from 'vscode';
import { ServiceError } from '../../../client/errors';
import type { ServiceClient } from '../../../client/serviceClient';
import { runCommand } from '../../../common/commands';
import { describeError } from '../../../common/describeError';
import { askModal, showInformation, showWarning } from '../../../common/notifications';
import { withProgress } from '../../../common/progress';
import { toLabel } from '../../../common/text';
import type { RunReference } from '../../../contributions';
import { refuseUntrusted } from '../../connection';
import type { Connection } from '../../connection/connection';
import { baseName } from '../batchPresentation';
import { chooseRun } from '../ledger/chooseRun';
import type { Run } from '../ledger/runs';
import type { Submission } from '../ledger/submission';
import type { RunDependencies } from '../runCommands';
import { remainingParts } from './sendGroup';
import { stopGroup } from './stopGroup';

/** Sends the parts of a group that have no batch. */
export async function resume(deps: RunDependencies, target: RunReference | undefined): Promise<void> {
  const run = await choose(deps, target, vscode.l10n.t('Send the remaining parts of which group?'), hasRemaining);
  const { resumeGroup } = await import('./resumeGroup');
  await resumeGroup(deps, run);
}

/** Cancels all batches of a group that run, and ends its sending, after asking once. */
export async function cancel(deps: RunDependencies, target: RunReference | undefined): Promise<void> {
  const run = await choose(deps, target, vscode.l10n.t('Cancel which group?'), one => one.submissions.some(canStop));
  const parts = run.submissions.filter(canStop);
  const name = toLabel(baseName(run.source), 80);
  if (parts.length === 0) {
    throw new Error(vscode.l10n.t('No batch of {0} runs.', name));
  }
  const { connection, client } = await reach(deps, run);
  const confirm = vscode.l10n.t('Cancel {0} Batches', parts.length);
  const answer = await askModal(
    vscode.l10n.t('Cancel all batches of {0} that run?', name),
    {
      detail: vscode.l10n.t(
        'Connection: {0} ({1})\nBatches: {2}\n\nRequests that already run are still finished, and what succeeded stays available as results. Canceling cannot be undone.',
        connection.name,
        hostOf(connection),
        parts.map(describePart).join(', '),
      ),
    },
    confirm,
  );
  if (answer !== confirm) {
    return;
  }
  const { there, open } = await endSending(deps, run);
  const failures = await forEachPart(deps, run, there.filter(isRunning), async (part, batchId) => {
    const { data } = await client.batches.cancel(batchId);
    deps.onBatchChanged?.(run.connection, data);
    if (data.processing_status !== 'ended') {
      await deps.registry.update(part.id, { batch: data });
    }
  });
  const message = vscode.l10n.t('These batches of {0} could not be canceled; the others are being canceled.', name);
  await tellFailures(deps, [...failures, ...open], message);
}

/** Deletes all batches of a group from the service, and ends its sending, after asking once. */
export async function remove(deps: RunDependencies, target: RunReference | undefined): Promise<void> {
  const run = await choose(deps, target, vscode.l10n.t('Delete which group?'), one => one.submissions.some(isThere));
  const parts = run.submissions.filter(isThere);
  const name = toLabel(baseName(run.source), 80);
  if (parts.length === 0) {
    throw new Error(vscode.l10n.t('No batch of {0} is on the service.', name));
  }
  const { connection, client } = await reach(deps, run);
  const confirm = vscode.l10n.t('Delete {0} Batches', parts.length);
  const answer = await askModal(
    vscode.l10n.t('Delete all batches of {0} and their results from the service?', name),
    {
      detail: [
        vscode.l10n.t('Connection: {0} ({1})', connection.name, hostOf(connection)),
        vscode.l10n.t('Batches: {0}', parts.map(describePart).join(', ')),
        parts.every(({ results }) => results !== undefined)
          ? ''
          : vscode.l10n.t('Not all of their results have been fetched to this machine.'),
        vscode.l10n.t('This cannot be undone. Files on this machine stay.'),
      ]
        .filter(line => line !== '')
        .join('\n'),
    },
    confirm,
  );
  if (answer !== confirm) {
    return;
  }
  const { there, open } = await endSending(deps, run);
  const failures = await forEachPart(deps, run, there, async (part, batchId) => {
    await client.batches.delete(batchId).catch(error => {
      // It is gone, which is what was wanted.
      if (!(error instanceof ServiceError && error.kind === 'not_found')) {
        throw error;
      }
    });
    await deps.registry.update(part.id, { deleted: true });
  });
  const message = vscode.l10n.t('These batches of {0} could not be deleted; the others are.', name);
  await tellFailures(deps, [...failures, ...open], message);
}

/** Fetches the results of all parts of a group that have ended, and joins them in one file. `busy`: runs that are being fetched. */
export async function fetchResults(deps: RunDependencies, target: RunReference | undefined, busy: Set<string>): Promise<void> {
  const run = await choose(deps, target, vscode.l10n.t('Fetch the results of which group?'), one => one.submissions.some(isThere));
  const name = toLabel(baseName(run.source), 80);
  if (busy.has(run.id)) {
    void showInformation(vscode.l10n.t('The results of {0} are being fetched already.', name));
    return;
  }
  busy.add(run.id);
  const { fetchGroup } = await import('./fetchGroup');
  const title = vscode.l10n.t('Fetching results of {0}', name);
  const fetched = await withProgress(title, deps.lifetime, (signal, report) =>
    fetchGroup(deps, run, {
      signal,
      onProgress: ({ done, of, share }) =>
        report(done < of ? vscode.l10n.t('part {0} of {1}', done + 1, of) : vscode.l10n.t('Verifying and joining'), share),
    }),
  ).finally(() => busy.delete(run.id));
  const { tellFetchedGroup } = await import('./tellFetchedGroup');
  // Not awaited: the messages wait for the user, the command has ended.
  tellFetchedGroup(run, fetched).catch(error => deps.log.error('A message could not be shown', error));
}

async function choose(
  { registry }: RunDependencies,
  target: RunReference | undefined,
  question: string,
  fits: (run: Run) => boolean,
): Promise<Run> {
  // Menus hand over tree items, which carry more than a reference.
  return await chooseRun(registry, target && { runId: target.runId }, question, run => run.parts > 1 && fits(run));
}

function hasRemaining(run: Run): boolean {
  return run.submissions.some(({ state }) => state === 'created') && remainingParts(run.submissions, run.parts).length > 0;
}

function isThere({ state, batchId, deleted }: Submission): boolean {
  return state === 'created' && batchId !== undefined && deleted !== true;
}

function isRunning(submission: Submission): boolean {
  const status = submission.batch?.processing_status;
  return isThere(submission) && status !== 'ended' && status !== 'canceling';
}

/** Whether there is something to cancel: a batch that runs, or a part that is on its way. */
function canStop(submission: Submission): boolean {
  return isRunning(submission) || submission.state === 'sending';
}

function describePart({ batchId, group }: Submission): string {
  return batchId === undefined ? vscode.l10n.t('part {0}, which is being sent', (group?.index ?? 0) + 1) : toLabel(batchId, 80);
}

/**
 * Sees to it that no window sends more of a group. Answers its parts that are on the service, and a sentence for each of which a batch can
 * come all the same.
 */
async function endSending(
  { registry, lifetime }: RunDependencies,
  run: Run,
): Promise<{ readonly there: readonly Submission[]; readonly open: readonly string[] }> {
  const { group } = run.lead;
  const isWhole = run.submissions.length === run.parts && run.submissions.every(isThere);
  if (group === undefined || isWhole) {
    return { there: run.submissions.filter(isThere), open: [] };
  }
  const title = vscode.l10n.t('Ending the sending of {0}', toLabel(baseName(run.source), 80));
  const parts = await withProgress(title, lifetime, () => stopGroup(registry, group.id));
  const open = parts
    .filter(({ state }) => state === 'sending' || state === 'unknown')
    .map(part => vscode.l10n.t('Part {0}: it was on its way, and may become a batch.', (part.group?.index ?? 0) + 1));
  return { there: parts.filter(isThere), open };
}

async function reach(
  { connections }: RunDependencies,
  run: Run,
): Promise<{ readonly connection: Connection; readonly client: ServiceClient }> {
  refuseUntrusted('change');
  const connection = connections.find(run.connection);
  if (connection === undefined) {
    throw new Error(
      vscode.l10n.t('The connection {0} of these batches no longer exists. Add it again to reach them.', toLabel(run.connection, 80)),
    );
  }
  return { connection, client: await connections.client(connection, 'change') };
}

/** Does something with each part, whatever became of the others. Answers a sentence for each that failed. */
async function forEachPart(
  { lifetime }: RunDependencies,
  run: Run,
  parts: readonly Submission[],
  act: (part: Submission, batchId: string) => Promise<void>,
): Promise<readonly string[]> {
  const failures: string[] = [];
  const title = toLabel(baseName(run.source), 80);
  await withProgress(title, lifetime, async (signal, report) => {
    for (const [done, part] of parts.entries()) {
      signal.throwIfAborted();
      report(vscode.l10n.t('{0} of {1}', done + 1, parts.length), done / parts.length);
      try {
        await act(part, part.batchId ?? '');
      } catch (error) {
        failures.push(vscode.l10n.t('Part {0}: {1}', (part.group?.index ?? 0) + 1, toLabel(describeError(error), 300)));
      }
    }
  });
  return failures;
}

async function tellFailures({ log }: RunDependencies, failures: readonly string[], message: string): Promise<void> {
  await runCommand('managedAgents.batches.refresh');
  if (failures.length > 0) {
    log.error(`${message}\n${failures.join('\n')}`);
    void showWarning(`${message} ${failures.join(' ')}`);
  }
}

function hostOf({ baseUrl }: Connection): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}
