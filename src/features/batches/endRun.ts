import * as vscode from 'vscode';
import { ServiceError } from '../../client/transport/errors';
import { askModal, type Offer, offer, showWarning } from '../../common/asking/notifications';
import { withProgress } from '../../common/asking/progress';
import { CancelledError } from '../../common/cancellation';
import { runCommand } from '../../common/commands';
import { describeError } from '../../common/text/describeError';
import { hostOf, nameWithHost } from '../../common/text/presentation';
import { join, toLabel } from '../../shared/text';
import { reach } from '../connection';
import { generationsOf, isForeign, isUnderWay, type Run, type Submission, toRuns } from '../ledger';
import type { BatchDependencies } from './batchDependencies';
import type { BatchStore } from './batchStore';
import { updateResultsFile } from './fetching/resultsFile';
import { stopGroup } from './groups/sendRun';
import { nameOfRun } from './sourceNames';
import { toSentence } from './submitting/createBatchMessages';

export interface EndDependencies extends Pick<BatchDependencies, 'log' | 'connections' | 'registry' | 'jobs' | 'lifetime'> {
  readonly store: Pick<BatchStore, 'put' | 'remove'>;
  /** Polls the service. Settles when the responses are in the store. */
  readonly refresh: () => Promise<void>;
}

type Act = 'cancel' | 'delete';

/** Maximum number of IDs in a question. */
const maxNamed = 10;

/** Stops sending a run and cancels its running batches, after asking once. The service still finishes requests that it has started. */
export async function cancelRun(deps: EndDependencies, run: Run): Promise<void> {
  const { t } = vscode.l10n;
  const name = nameOfRun(deps.registry, run);
  const parts = run.submissions.filter(part => isRunning(part) || (part.state === 'sending' && part.group !== undefined));
  if (parts.length === 0) {
    throw new Error(t('No batch of {0} is running.', name));
  }
  const { client } = await reach(deps.connections, run.connection, 'change');
  const button = describeButton('cancel', parts.filter(isThere).length, isSending(run));
  const finish = t("Requests that are already running still finish, and their results stay available. This can't be undone.");
  const detail = join('\n\n', describeTarget(deps, run, parts), describeUnsent(run), finish);
  const title = isForeign(run) ? t('Cancel batch {0}?', name) : t('Cancel the run of {0}?', name);
  const keep = { title: t('Keep Running'), isCloseAffordance: true };
  const cancel = { title: button };
  if ((await askModal<vscode.MessageItem>(title, { detail }, cancel, keep)) !== cancel) {
    throw new CancelledError();
  }
  await endParts(deps, run, 'cancel', async (part, batchId) => {
    const { data } = await client.batches.cancel(batchId);
    deps.store.put(run.connection, data);
    if (data.processing_status !== 'ended' && !isForeign(run)) {
      await deps.registry.update(part.id, { batch: data });
    }
  });
}

/** Asks whether to delete the batches of a run on the service, or the records of the run and of the runs that follow it. Files stay. */
export async function deleteRun(deps: EndDependencies, run: Run): Promise<void> {
  const { t } = vscode.l10n;
  const name = nameOfRun(deps.registry, run);
  const { registry } = deps;
  const all = registry.all();
  const parts = run.submissions.filter(isThere);
  const isWholeRun = toRuns(all).some(({ id, parts: count }) => id === run.id && count === run.parts);
  const deletion = isWholeRun ? deletionOf(all, run) : undefined;
  const deletes = describeButton('delete', parts.length, isSending(run));
  const forgets = t('Forget Run');
  const buttons = [...(parts.length === 0 ? [] : [deletes]), ...(deletion === undefined ? [] : [forgets])];
  if (buttons.length === 0) {
    throw new Error(t("Can't delete {0} while it or a follow-up run is running. Cancel it first.", name));
  }
  const isFetched = run.submissions.every(({ results }) => results !== undefined);
  const ofService = join(
    '\n\n',
    describeUnsent(run),
    t("{0}: deletes the batches and their results from the service. This can't be undone.", deletes),
    isFetched ? '' : t("Some results aren't on this machine."),
  );
  const ofMachine = t('{0}: removes this run and its follow-up runs from this machine. Their batches stay on the service.', forgets);
  const detail = join(
    '\n\n',
    describeTarget(deps, run, parts),
    parts.length === 0 ? '' : ofService,
    deletion === undefined ? '' : ofMachine,
    t('Files beside the request file are kept.'),
  );
  const title = isForeign(run) ? t('Delete batch {0}?', name) : t('Delete the run of {0}?', name);
  const choice = await askModal(title, { detail }, ...buttons);
  if (choice === undefined) {
    throw new CancelledError();
  }
  if (choice === forgets && deletion !== undefined) {
    await registry.remove(deletion.submissionIds);
    // Removes the results of the run from the results file.
    await (deletion.root && updateResultsFile(deps, deletion.root));
    await deps.refresh();
    return;
  }
  const { client } = await reach(deps.connections, run.connection, 'change');
  await endParts(deps, run, 'delete', async ({ id }, batchId) => {
    await client.batches.delete(batchId);
    if (!isForeign(run)) {
      await registry.update(id, { deleted: true });
    }
    deps.store.remove(run.connection, batchId);
  });
}

function isThere({ state, batchId, deleted }: Submission): boolean {
  return state === 'created' && batchId !== undefined && deleted !== true;
}

function isRunning(submission: Submission): boolean {
  const status = submission.batch?.processing_status;
  return isThere(submission) && status !== 'ended' && status !== 'canceling';
}

function isSending({ submissions }: Run): boolean {
  return submissions.some(({ state }) => state === 'sending');
}

function isWhole({ submissions, parts }: Run): boolean {
  return submissions.length === parts && submissions.every(isThere);
}

function describeButton(act: Act, batches: number, stops: boolean): string {
  const { t } = vscode.l10n;
  if (act === 'delete') {
    const deletes = batches === 1 ? t('Delete Batch') : t('Delete {0} Batches', batches);
    return stops ? t('Stop Sending and Delete Batches') : deletes;
  }
  if (stops) {
    return batches === 0 ? t('Stop Sending') : t('Stop Sending and Cancel Batches');
  }
  return batches === 1 ? t('Cancel Batch') : t('Cancel {0} Batches', batches);
}

function describeTarget({ connections }: EndDependencies, run: Run, parts: readonly Submission[]): string {
  const { t } = vscode.l10n;
  const { connection: name } = run;
  const connection = connections.find(name);
  const named = parts
    .slice(0, maxNamed)
    .map(({ batchId, group }) => (batchId ? toLabel(batchId, 80) : t('part {0}', (group?.index ?? 0) + 1)));
  const more = parts.length > maxNamed ? t('and {0} more', parts.length - maxNamed) : '';
  return join(
    '\n\n',
    t('Connection: {0}', connection === undefined ? toLabel(name, 80) : nameWithHost({ name, host: hostOf(connection) })),
    parts.length === 0 || isForeign(run) ? '' : t('Batches: {0}', join(', ', ...named, more)),
  );
}

function describeUnsent(run: Run): string {
  const { t } = vscode.l10n;
  const sending = isSending(run) ? t('The part that is being sent may still become a batch.') : '';
  return join('\n\n', sending, isWhole(run) ? '' : t("Parts that weren't sent yet can still be sent later."));
}

/**
 * Stops sending a run in all windows, and calls `end` for each batch, or only for each running batch. Reports parts that failed or may
 * still become a batch. If the run has only one part, throws the failure of this part. A batch that the service doesn't find is removed
 * from the list. It is not recorded as deleted, because the service gives the same response to a key of another workspace.
 */
async function endParts(
  { lifetime, store, registry, log, refresh }: EndDependencies,
  run: Run,
  act: Act,
  end: (part: Submission, batchId: string) => Promise<void>,
): Promise<void> {
  const { t } = vscode.l10n;
  const name = nameOfRun(registry, run);
  const { group } = run.lead;
  const stopped =
    group === undefined || isWhole(run)
      ? run.submissions
      : await withProgress(t('Stopping the upload of {0}', name), lifetime, signal => stopGroup(registry, group.id, signal));
  const parts = stopped.filter(act === 'cancel' ? isRunning : isThere);
  const failures: { readonly index: number; readonly error: unknown }[] = [];
  await withProgress(name, lifetime, async (signal, report) => {
    for (const [done, part] of parts.entries()) {
      const { batchId = '' } = part;
      signal.throwIfAborted();
      report(t('{0} of {1}', done + 1, parts.length), done / parts.length);
      try {
        await end(part, batchId);
      } catch (cause) {
        const isGone = cause instanceof ServiceError && cause.kind === 'not_found';
        if (isGone) {
          store.remove(run.connection, batchId);
        }
        const notFound = t('Batch {0} was not found. It may have been deleted, or this key has no access.', toLabel(batchId, 80));
        failures.push({ index: part.group?.index ?? 0, error: isGone ? new Error(notFound, { cause }) : cause });
      }
    }
  });
  const [failure] = failures;
  if (run.parts === 1 && failure !== undefined) {
    throw failure.error;
  }
  await refresh();
  const uncertain = group === undefined ? [] : stopped.filter(({ state }) => state === 'sending' || state === 'unknown');
  const lines = [
    ...failures.map(({ index, error }) => t('Part {0}: {1}', index + 1, toSentence(toLabel(describeError(error), 300)))),
    ...uncertain.map(part => t('Part {0} was already uploaded and may become a batch.', (part.group?.index ?? 0) + 1)),
  ];
  if (lines.length > 0) {
    log.error(`Not ended or deleted: parts of ${run.source}\n${lines.join('\n')}`);
    // Not awaited, because the message waits for the user, but the command is done.
    askAboutRest(run, name, act, failures.length, lines).catch(error => log.error('A message could not be shown', error));
  }
}

async function askAboutRest({ id }: Run, name: string, act: Act, failed: number, lines: readonly string[]): Promise<void> {
  const { t } = vscode.l10n;
  const [first = ''] = lines;
  const failures = {
    cancel: () =>
      failed === 1
        ? t("Couldn't cancel 1 batch of {0}. {1}", name, first)
        : t("Couldn't cancel {0} batches of {1}. {2}", failed, name, first),
    delete: () =>
      failed === 1
        ? t("Couldn't delete 1 batch of {0}. {1}", name, first)
        : t("Couldn't delete {0} batches of {1}. {2}", failed, name, first),
  };
  const message = failed === 0 ? lines.join(' ') : failures[act]();
  const command = act === 'cancel' ? 'managedAgents.batch.cancel' : 'managedAgents.delete';
  const showDetails = () => askModal(message, { detail: lines.join('\n') });
  const again: Offer = [t('Try Again'), () => runCommand(command, { runId: id })];
  await offer(showWarning, message, failed > 0 && again, [t('Show Details'), showDetails]);
}

/**
 * Returns the submissions of a run and of the runs that follow it, newest first. `root` is the oldest remaining run, whose merged results
 * change. Returns `undefined` if one of these submissions may still be running.
 */
export function deletionOf(submissions: readonly Submission[], run: Run) {
  const family = generationsOf(toRuns(submissions), run);
  const removedRuns = new Set([run.id]);
  for (const { id, follows } of family) {
    if (follows !== undefined && removedRuns.has(follows.runId)) {
      removedRuns.add(id);
    }
  }
  const runs = family.filter(({ id }) => removedRuns.has(id));
  // Earlier submissions of a part that was sent again belong to the run too.
  const groups = new Set(runs.flatMap(({ lead }) => lead.group?.id ?? []));
  const ids = new Set(runs.flatMap(one => one.submissions.map(({ id }) => id)));
  const removed = submissions.filter(({ id, group }) => ids.has(id) || (group !== undefined && groups.has(group.id)));
  return removed.some(isUnderWay)
    ? undefined
    : {
        submissionIds: [...removed].sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt)).map(({ id }) => id),
        root: family.find(({ id }) => !removedRuns.has(id)),
      };
}
