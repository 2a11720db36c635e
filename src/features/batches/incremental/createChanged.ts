import path from 'node:path';
import * as vscode from 'vscode';
import { chooseFile } from '../../../common/asking/chooseFile';
import { exists } from '../../../common/asking/newFile';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import { toReport, withProgress } from '../../../common/asking/progress';
import { runCommand } from '../../../common/commands';
import type { ReportDocuments } from '../../../common/documents/reportDocuments';
import type { ChangedRequests, ChangedSource } from '../../../jsonl/merging/mergingJobs';
import { toLabel } from '../../../shared/text';
import { hashSubmitted, isMadeRetry, runOf, type Submission, submissionFiles } from '../../ledger';
import { ResultsFetchError } from '../fetching/fetchErrors';
import { fetchPart } from '../fetching/fetchPart';
import type { RunDependencies } from '../runCommands';
import { discardContent, prepareContent } from '../sheet/preparedContent';
import type { ShownSheet } from '../sheet/sheets';
import { nameOf } from '../submitting/createBatchTarget';
import { describeChanged, describeKept, describeRest, toChangedReport } from './changedPresentation';
import { type Earlier, earlierOf } from './earlierOf';
import { sourcePathOf } from './sourcePath';

export interface ChangedDependencies extends RunDependencies {
  readonly reports: ReportDocuments;
}

/**
 * Shows the sheet of a file with only those of its requests that have no kept success for what they say now, as they stand in the
 * editor. Nothing is sent before the user does it there. While anything that was sent of the file may still be answered, nothing is
 * compared: what is under way would be paid twice.
 */
export async function createChanged(deps: ChangedDependencies, given: vscode.Uri | undefined): Promise<ShownSheet | undefined> {
  const { t } = vscode.l10n;
  const file = await chooseFile(given, {
    question: t('Send what changed in which file?'),
    openLabel: t('Send What Changed'),
    fits: uri => !/\.results\.jsonl$/i.test(uri.path),
  });
  return await sendUnanswered(deps, file, 'changed');
}

/** The same for a file that is known: what changed in it, or the rest of one of which a sample was sent. Undefined where there is nothing to send. */
export async function sendUnanswered(
  deps: ChangedDependencies,
  file: vscode.Uri,
  purpose: 'changed' | 'rest',
): Promise<ShownSheet | undefined> {
  const { t } = vscode.l10n;
  const name = toLabel(nameOf(file), 80);
  await deps.connections.whenKnown;
  const { current } = deps.connections;
  if (current === undefined) {
    throw new Error(t('There is no connection yet. Add one first.'));
  }
  const { name: connection, baseUrl } = current;
  const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : '';
  await deps.registry.reload();
  const earlier = earlierOf(deps.registry.all(), file.toString(), { connection, origin });
  if (earlier === undefined) {
    offerWhole(
      deps,
      file,
      t('Nothing of {0} was sent over the connection {1} before, so all of it is new.', name, toLabel(connection, 80)),
    );
    return undefined;
  }
  assertSettled(earlier);
  if (!(await haveResults(deps, earlier, name))) {
    return undefined;
  }
  const changed = await compare(deps, file, earlier, name);
  if (changed.lines.length === 0) {
    void showInformation(
      changed.broken > 0
        ? t('Every request of {0} has an answer for what it says now. Some lines are no requests: check the file.', name)
        : t('Every request of {0} has an answer for what it says now. There is nothing to send.', name),
    );
    return undefined;
  }
  const { lines, sha256 } = changed;
  const context = { translate: t, locale: vscode.env.language };
  return await deps.showChosen(file, {
    purpose,
    lines,
    sha256,
    description: purpose === 'rest' ? describeRest(changed, context) : describeChanged(changed, context),
    note: {
      text: describeKept(changed, context),
      showWhy: () => deps.reports.show(t('What Changed in {0}', name), file, toChangedReport(nameOf(file), changed, context)),
    },
    follows: { ...earlier.follows, purpose },
    compared: { connection, submissions: earlier.submissions.map(({ id }) => id) },
  });
}

function offerWhole({ log }: ChangedDependencies, file: vscode.Uri, message: string): void {
  const create = vscode.l10n.t('Create Batch');
  // Not awaited: the message waits for the user, the command has ended.
  showInformation(message, create)
    .then(async choice => {
      if (choice === create) {
        await runCommand('managedAgents.batch.create', file);
      }
    })
    .catch(error => log.error('A message could not be shown', error));
}

function assertSettled({ unsettled }: Earlier): void {
  if (unsettled === undefined) {
    return;
  }
  const { t } = vscode.l10n;
  throw new Error(
    unsettled.batchId === undefined
      ? t('It is not known whether an earlier batch of this file was created. Find that out first in the Batches view.')
      : t(
          'Batch {0} with requests of this file has not ended yet. What it is working on would be sent, and paid, again; wait until it has ended.',
          toLabel(unsettled.batchId, 80),
        ),
  );
}

/** Makes sure that what was answered is on this machine. False when the user does not want it fetched. */
async function haveResults(deps: ChangedDependencies, { submissions }: Earlier, name: string): Promise<boolean> {
  const { t } = vscode.l10n;
  const missing: Submission[] = [];
  for (const submission of submissions) {
    const results = resultsOf(deps, submission);
    if (submission.deleted !== true && (results === undefined || !(await exists(results.joinedPath)))) {
      missing.push(submission);
    }
  }
  if (missing.length === 0) {
    return true;
  }
  const fetch = t('Fetch and Compare');
  const message =
    missing.length === 1
      ? t('The results of one batch of {0} are not on this machine. They tell which requests have an answer.', name)
      : t('The results of {0} batches of {1} are not on this machine. They tell which requests have an answer.', missing.length, name);
  if ((await showWarning(message, fetch)) !== fetch) {
    return false;
  }
  await withProgress(t('Fetching results of {0}', name), deps.lifetime, async (signal, report) => {
    for (const [at, submission] of missing.entries()) {
      report('', at / missing.length);
      try {
        await fetchPart(deps, submission, { signal });
      } catch (error) {
        // What the service keeps no longer is an answer to nothing.
        if (!(error instanceof ResultsFetchError && error.kind === 'gone')) {
          throw error;
        }
      }
    }
  });
  return true;
}

/** The joined results in which the answers to a submission are: its own, or those of its group. */
function resultsOf({ registry }: ChangedDependencies, submission: Submission): ChangedSource['before'][number]['results'] {
  const current = registry.find(submission.id) ?? submission;
  const indexOf = (id: string, name: string) => path.join(registry.folder(id), name);
  if (current.results !== undefined) {
    return { joinedPath: current.results.joinedPath, indexPath: indexOf(current.id, submissionFiles.resultsIndex) };
  }
  const lead = current.group && runOf(registry.all(), current)?.lead;
  return lead?.groupResults && { joinedPath: lead.groupResults.joinedPath, indexPath: indexOf(lead.id, submissionFiles.groupIndex) };
}

async function compare(deps: ChangedDependencies, file: vscode.Uri, { submissions }: Earlier, name: string): Promise<ChangedRequests> {
  const { registry, jobs, lifetime } = deps;
  const content = await prepareContent(registry, file);
  try {
    return await withProgress(vscode.l10n.t('Comparing {0} with what was sent', name), lifetime, async (signal, report) => {
      const before: ChangedSource['before'][number][] = [];
      for (const submission of submissions) {
        const linesPath = path.join(registry.folder(submission.id), submissionFiles.lines);
        if (!(await exists(linesPath))) {
          throw new Error(
            vscode.l10n.t(
              'It is not known on this machine which requests batch {0} was made of, so what changed since cannot be told.',
              toLabel(submission.batchId ?? '', 80),
            ),
          );
        }
        const hashesPath = await hashSubmitted({ registry, jobs, toPath: sourcePathOf }, submission, signal);
        const results = resultsOf(deps, submission);
        before.push({
          linesPath,
          isRetry: isMadeRetry({ follows: submission.follows, lead: submission }, registry.all()),
          ...(hashesPath !== undefined && { hashesPath }),
          ...(results !== undefined && (await exists(results.joinedPath)) && { results }),
        });
      }
      return await jobs.run('findChanged', { path: content.path, before }, { signal, onProgress: toReport(report) });
    });
  } finally {
    discardContent(registry, content);
  }
}
