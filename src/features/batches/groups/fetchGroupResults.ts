import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import type { RunReference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import type { FetchDependencies } from '../fetching/fetchBatchResults';
import { nameAmong } from '../sourceNames';
import { chooseGroup, isThere } from './groupCommands';

/** Fetches the results of all parts of a group that have ended, and joins them in one file, once at a time. */
export async function fetchGroupResults(deps: FetchDependencies, target: RunReference | undefined): Promise<void> {
  const { busy } = deps;
  const run = await chooseGroup(deps, target, vscode.l10n.t('Fetch the results of which group?'), one => one.submissions.some(isThere));
  const name = toLabel(nameAmong(deps.registry.all(), run.source), 80);
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
  tellFetchedGroup(run, name, fetched).catch(error => deps.log.error('A message could not be shown', error));
}
