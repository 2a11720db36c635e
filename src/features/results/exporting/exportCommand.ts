import * as vscode from 'vscode';
import { toReport, withProgress } from '../../../common/asking/progress';
import { CancelledError } from '../../../common/cancellation';
import type { BatchReference, RunReference } from '../../../contributions';
import { parseQuery } from '../../../jsonl/querying/parseQuery';
import { type ResultsReport, statusCounts } from '../../../jsonl/results/resultsReport';
import { answeredCount } from '../../../jsonl/results/resultsSummary';
import { numberFormat } from '../../../shared/formats';
import { resultStatuses, toStatusName } from '../../../shared/results/resultStatus';
import type { SubmissionRegistry } from '../../ledger';
import { chooseShown } from '../chooseShown';
import { besideFilesOf } from '../panel/shownResults';
import { type ExportDependencies, exportRows } from './exportRows';

export interface ExportCommandDependencies extends ExportDependencies {
  readonly registry: SubmissionRegistry;
}

/** Writes results that the user chooses, all or those that a query fits, in a form that the user chooses. */
export async function exportResults(
  deps: ExportCommandDependencies,
  target: RunReference | BatchReference | vscode.Uri | undefined,
): Promise<void> {
  const { t } = vscode.l10n;
  const shown = await chooseShown(deps.registry, target, t('Export the results of which batch?'));
  const query = await chooseQuery(shown.results.report);
  const rows =
    query === ''
      ? undefined
      : await withProgress(t('Looking for results'), deps.lifetime, async (signal, tell) => {
          const found = await deps.jobs.run(
            'queryResults',
            { ...shown.joined, ...besideFilesOf(shown.linesOf), query },
            { signal, onProgress: toReport(tell) },
          );
          return found.rows;
        });
  if (rows?.length === 0) {
    throw new Error(t('No results match {0}.', query));
  }
  const { joined, results, run, submissions } = shown;
  await exportRows(deps, { joined, report: results.report, source: run.source, submissions }, rows);
}

/** Which results: a query, empty for all. Rejects with `CancelledError`. */
async function chooseQuery(report: ResultsReport): Promise<string> {
  const { t } = vscode.l10n;
  const all = answeredCount(report);
  const counts = statusCounts(report);
  const parts = [
    { count: all, label: t('All results'), query: '' },
    ...resultStatuses.map(status => ({ count: counts[status], label: toStatusName(status, t), query: `status=${status}` })),
    { count: all - counts.succeeded, label: t('Without a good result'), query: 'status!=succeeded' },
  ];
  const items: readonly (vscode.QuickPickItem & { readonly query: string | undefined })[] = [
    ...parts
      .filter(({ count, query }) => query === '' || (count > 0 && count < all))
      .map(({ count, label, query }) => ({ label, description: numberFormat(vscode.env.language).format(count), query })),
    { label: t('Matching a filter...'), description: 'stop=max_tokens and out>4000', query: undefined },
  ];
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: t('Export which results?') });
  if (chosen === undefined) {
    throw new CancelledError();
  }
  return chosen.query ?? (await askQuery());
}

async function askQuery(): Promise<string> {
  const { t } = vscode.l10n;
  const query = await vscode.window.showInputBox({
    prompt: t('For instance: {0}', 'status=failed error~credit, id~"eval-", text~/sorry/i, out>4000'),
    placeHolder: 'stop=max_tokens and out>4000',
    ignoreFocusOut: true,
    validateInput: text => {
      const parsed = parseQuery(text);
      return 'problem' in parsed ? t(parsed.problem.text.template, ...parsed.problem.text.args) : undefined;
    },
  });
  if (query === undefined) {
    throw new CancelledError();
  }
  return query.trim();
}
