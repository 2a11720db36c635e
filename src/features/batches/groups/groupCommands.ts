import * as vscode from 'vscode';
import { askModal, showWarning } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { runCommand } from '../../../common/commands';
import { describeError } from '../../../common/text/describeError';
import { hostOf, nameWithHost } from '../../../common/text/presentation';
import type { RunReference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { type Connection, reach } from '../../connection';
import type { Run, Submission } from '../../ledger';
import { chooseRun } from '../chooseRun';
import type { RunDependencies } from '../runCommands';
import { baseName } from '../sourceNames';
import { toSentence } from '../submitting/createBatchMessages';
import { deletePart } from './deletePart';
import { remainingParts } from './sendGroup';
import { stopGroup } from './stopGroup';
import { describeConfirm, describeParts, describeRest, type GroupAct, type GroupRest } from './stopPresentation';

/** What ending a group needs. */
export type GroupDependencies = Pick<RunDependencies, 'log' | 'connections' | 'registry' | 'onBatchChanged' | 'lifetime'>;

/** Sends the parts of a group that have no batch. */
export async function resume(deps: RunDependencies, target: RunReference | undefined): Promise<void> {
  const run = await chooseGroup(deps, target, vscode.l10n.t('Send the remaining parts of which group?'), hasRemaining);
  const { resumeGroup } = await import('./resumeGroup');
  await resumeGroup(deps, run);
}

/** Cancels all batches of a group that run, and ends its sending, after asking once. */
export async function cancelGroup(deps: GroupDependencies, target: RunReference): Promise<void> {
  const run = await chooseGroup(deps, target, vscode.l10n.t('Cancel which group?'), one => one.submissions.some(canStop));
  const parts = run.submissions.filter(canStop);
  const name = toLabel(baseName(run.source), 80);
  if (parts.length === 0) {
    throw new Error(vscode.l10n.t('No batch of {0} runs.', name));
  }
  const { connection, client } = await reach(deps.connections, run.connection, 'change');
  const confirm = describeConfirm('cancel', { batches: parts.filter(isThere).length, isSending: isSending(run) }, vscode.l10n.t);
  const answer = await askModal(
    vscode.l10n.t('Cancel all batches of {0} that run?', name),
    {
      detail: [
        ...describeTarget(connection, parts),
        '',
        ...describeUnsent(run),
        vscode.l10n.t(
          'Requests that already run are still finished, and what succeeded stays available as results. Canceling cannot be undone.',
        ),
      ].join('\n'),
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
  await tellRest(deps, run, 'cancel', { failures, open });
}

/** Deletes all batches of a group from the service, and ends its sending, after asking once. */
export async function deleteGroup(deps: GroupDependencies, target: RunReference): Promise<void> {
  const run = await chooseGroup(deps, target, vscode.l10n.t('Delete which group?'), one => one.submissions.some(isThere));
  const parts = run.submissions.filter(isThere);
  const name = toLabel(baseName(run.source), 80);
  if (parts.length === 0) {
    throw new Error(vscode.l10n.t('No batch of {0} is on the service.', name));
  }
  const { connection, client } = await reach(deps.connections, run.connection, 'change');
  const confirm = describeConfirm('delete', { batches: parts.length, isSending: isSending(run) }, vscode.l10n.t);
  const answer = await askModal(
    vscode.l10n.t('Delete all batches of {0} and their results from the service?', name),
    {
      detail: [
        ...describeTarget(connection, parts),
        '',
        ...describeUnsent(run),
        ...(parts.every(({ results }) => results !== undefined)
          ? []
          : [vscode.l10n.t('Not all of their results have been fetched to this machine.')]),
        vscode.l10n.t('This cannot be undone. Files on this machine stay.'),
      ].join('\n'),
    },
    confirm,
  );
  if (answer !== confirm) {
    return;
  }
  const { there, open } = await endSending(deps, run);
  const failures = await forEachPart(deps, run, there, async ({ id }, batchId) =>
    deletePart(client.batches, deps.registry, { id, batchId }, vscode.l10n.t),
  );
  await tellRest(deps, run, 'delete', { failures, open });
}

/** The group a command is about: the given one, or the one of those that fit that the user chooses. */
export async function chooseGroup(
  { registry }: Pick<RunDependencies, 'registry'>,
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

export function isThere({ state, batchId, deleted }: Submission): boolean {
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

function describeTarget(connection: Connection, parts: readonly Submission[]): readonly string[] {
  const named = parts.map(({ batchId, group }) => ({ id: batchId && toLabel(batchId, 80), index: group?.index ?? 0 }));
  return [
    vscode.l10n.t('Connection: {0}', nameWithHost({ name: connection.name, host: hostOf(connection) })),
    vscode.l10n.t('Batches: {0}', describeParts(named, vscode.l10n.t)),
  ];
}

function describeUnsent(run: Run): readonly string[] {
  return [
    ...(isSending(run) ? [vscode.l10n.t('The part that is being sent may have left already, and become a batch all the same.')] : []),
    ...(isWhole(run) ? [] : [vscode.l10n.t('Parts that were not sent yet stay unsent until you send them.')]),
  ];
}

function isSending({ submissions }: Run): boolean {
  return submissions.some(({ state }) => state === 'sending');
}

/** Whether all parts of a group are on the service. */
function isWhole({ submissions, parts }: Run): boolean {
  return submissions.length === parts && submissions.every(isThere);
}

/**
 * Sees to it that no window sends more of a group. Answers its parts that are on the service, and the numbers of those of which a batch
 * can come all the same. Throws when the user does not wait for it.
 */
async function endSending(
  { registry, lifetime }: GroupDependencies,
  run: Run,
): Promise<{ readonly there: readonly Submission[]; readonly open: readonly number[] }> {
  const { group } = run.lead;
  if (group === undefined || isWhole(run)) {
    return { there: run.submissions.filter(isThere), open: [] };
  }
  const title = vscode.l10n.t('Ending the sending of {0}', toLabel(baseName(run.source), 80));
  const parts = await withProgress(title, lifetime, signal => stopGroup(registry, group.id, signal));
  const open = parts.filter(({ state }) => state === 'sending' || state === 'unknown').map(part => part.group?.index ?? 0);
  return { there: parts.filter(isThere), open };
}

/** Does something with each part, whatever became of the others. Answers those that failed. */
async function forEachPart(
  { lifetime }: GroupDependencies,
  run: Run,
  parts: readonly Submission[],
  act: (part: Submission, batchId: string) => Promise<void>,
): Promise<GroupRest['failures']> {
  const failures: { part: number; words: string }[] = [];
  const title = toLabel(baseName(run.source), 80);
  await withProgress(title, lifetime, async (signal, report) => {
    for (const [done, part] of parts.entries()) {
      signal.throwIfAborted();
      report(vscode.l10n.t('{0} of {1}', done + 1, parts.length), done / parts.length);
      try {
        await act(part, part.batchId ?? '');
      } catch (error) {
        failures.push({ part: part.group?.index ?? 0, words: toSentence(toLabel(describeError(error), 300)) });
      }
    }
  });
  return failures;
}

async function tellRest({ log }: GroupDependencies, run: Run, act: GroupAct, rest: GroupRest): Promise<void> {
  await runCommand('managedAgents.refresh');
  const told = describeRest(act, toLabel(baseName(run.source), 80), rest, vscode.l10n.t);
  if (told === undefined) {
    return;
  }
  const { message, detail } = told;
  log.error(`${message}\n${detail}`);
  // Not awaited: the message waits for the user, the command has ended.
  askAboutRest(run, act, rest, told).catch(error => log.error('A message could not be shown', error));
}

async function askAboutRest(
  run: Run,
  act: GroupAct,
  { failures }: GroupRest,
  { message, detail }: { readonly message: string; readonly detail: string },
): Promise<void> {
  const again = vscode.l10n.t('Try Again');
  const details = vscode.l10n.t('Show Details');
  // VS Code shows a message without buttons cut to one line.
  const choice = await showWarning(message, ...(failures.length > 0 ? [again] : []), details);
  if (choice === again) {
    await runCommand(act === 'cancel' ? 'managedAgents.batch.cancel' : 'managedAgents.delete', { runId: run.id });
  } else if (choice === details) {
    await askModal(message, { detail });
  }
}
