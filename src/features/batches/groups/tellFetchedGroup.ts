import * as vscode from 'vscode';
import { askModal, showFailure, showInformation, showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { describeError } from '../../../common/text/describeError';
import { join } from '../../../common/text/presentation';
import { reviewCount } from '../../../jsonl/results/resultsReport';
import { toLabel } from '../../../shared/text';
import type { Run } from '../../ledger';
import { describeLines, describeResults, describeResultsDetails } from '../fetching/resultsMessages';
import { baseName } from '../sourceNames';
import { type MessageContext, toSentence } from '../submitting/createBatchMessages';
import type { FetchedGroup } from './fetchGroup';

/** Tells what of a group was fetched and what was not, and leads on. Settles when the user has answered. */
export async function tellFetchedGroup(run: Run, fetched: FetchedGroup): Promise<void> {
  const context: MessageContext = { translate: vscode.l10n.t, locale: vscode.env.language };
  const name = toLabel(baseName(run.source), 80);
  const { results, failed, mended, lines } = fetched;
  const again = vscode.l10n.t('Try Again');
  const failures = failed.map(({ index, error }) =>
    vscode.l10n.t('Part {0}: {1}', index + 1, toSentence(toLabel(describeError(error), 300))),
  );
  if (results === undefined) {
    const none =
      failures.length > 0
        ? vscode.l10n.t('No results of {0} could be fetched. {1}', name, failures.join(' '))
        : vscode.l10n.t('No batch of {0} has ended yet, so there are no results.', name);
    const choice = failures.length > 0 ? await showFailure(none, again) : await showInformation(none);
    if (choice === again) {
      await runCommand('managedAgents.batch.fetchResults', { runId: run.id });
    }
    return;
  }
  const { report } = results;
  const isWhole = fetched.fetched.length === run.parts;
  const message = join(
    ' ',
    describeResults(name, report, context),
    isWhole ? '' : vscode.l10n.t('These are the results of {0} of {1} parts.', fetched.fetched.length, run.parts),
    mended.length > 0
      ? vscode.l10n.t('What was kept of part {0} was damaged and was made anew.', mended.map(index => index + 1).join(', '))
      : '',
    describeLines(lines, context),
    failures.join(' '),
  );
  const table = vscode.l10n.t('Show Results Table');
  const open = vscode.l10n.t('Open Results File');
  const retry = vscode.l10n.t('Send Again...');
  const details = vscode.l10n.t('Show Details');
  const buttons = [
    ...(failures.length > 0 ? [again] : []),
    table,
    open,
    ...(reviewCount(report) > 0 ? [retry] : []),
    ...(report.complete ? [] : [details]),
  ];
  const isSound = report.complete && failures.length === 0;
  const choice = isSound ? await showInformation(message, ...buttons) : await showWarning(message, ...buttons);
  if (choice === table) {
    await runCommand('managedAgents.results.show', { runId: run.id });
  } else if (choice === open) {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(results.joinedPath));
  } else if (choice === retry) {
    await runCommand('managedAgents.retry.plan', { runId: run.id });
  } else if (choice === again) {
    await runCommand('managedAgents.batch.fetchResults', { runId: run.id });
  } else if (choice === details) {
    const detail = describeResultsDetails(report, context).join('\n\n');
    await askModal(message, { detail });
  }
}
