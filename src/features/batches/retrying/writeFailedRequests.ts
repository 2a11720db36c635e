import path from 'node:path';
import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import type { RetryGroup } from '../../../jsonl/retrying/retryingJobs';
import { toLabel } from '../../../shared/text';
import { runOf, type Submission } from '../../ledger';
import { fileNameOf } from '../fetching/siblingNames';
import type { RunDependencies } from '../runCommands';
import { makePlan } from './makePlan';
import { describeCause, describeWritten } from './retryPresentation';
import { writeRetryFile } from './writeRetryFile';

const failed: ReadonlySet<RetryGroup['kind']> = new Set(['errored', 'canceled', 'expired']);

/**
 * Writes the requests that errored, were canceled or expired, and are in no batch under way, to a new file beside the source and opens it: the
 * plan of a retry without a question. Throws a sentence for the user when there are none, or they stand nowhere any more.
 */
export async function writeFailedRequests(
  deps: Pick<RunDependencies, 'jobs' | 'registry' | 'lifetime' | 'clock' | 'log'>,
  submission: Submission,
): Promise<void> {
  const { t } = vscode.l10n;
  const name = toLabel(fileNameOf(submission.source), 80);
  const run = runOf(deps.registry.all(), submission);
  if (run === undefined) {
    throw new Error(t('Fetch the results of {0} first: they say which requests failed.', name));
  }
  const { sources, plan } = await makePlan(deps, run, name);
  const groups = plan.groups.filter(({ kind }) => failed.has(kind));
  if (groups.length === 0) {
    throw new Error(
      plan.underWay > 0
        ? t('The requests of {0} that failed are in a batch that has no results yet.', name)
        : t('No request of {0} failed.', name),
    );
  }
  if (groups.every(({ lines }) => lines.length === 0)) {
    throw new Error(
      t('The failed requests of {0} stand in no file any more: neither on their lines nor anywhere else in what was sent.', name),
    );
  }
  const toWrite = groups.map(({ places }) => ({ change: undefined, places }));
  const written = await writeRetryFile(deps, sources, toWrite, name);
  const others = plan.groups.filter(group => !groups.includes(group));
  const context = { translate: t, locale: vscode.env.language, now: Date.now() };
  const facts = {
    name: path.basename(written.path),
    written: written.written,
    left: count(others),
    leftFor: others.map(group => describeCause(group, context)),
    underWay: plan.underWay,
    gone: written.gone + groups.reduce((sum, { gone }) => sum + gone, 0),
    toEdit: count(groups.filter(({ action }) => action === 'edit')),
  };
  void showInformation(describeWritten(facts, context));
}

function count(groups: readonly RetryGroup[]): number {
  return groups.reduce((sum, group) => sum + group.count, 0);
}
