import * as vscode from 'vscode';
import { chooseFile } from '../../../common/asking/chooseFile';
import { toReport, withProgress } from '../../../common/asking/progress';
import type { ReportDocuments } from '../../../common/documents/reportDocuments';
import { contractLimits } from '../../../jsonl/checking/batchRules';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { toLabel } from '../../../shared/text';
import type { Connections } from '../../connection';
import { withFileOnDisk } from '../documents/fileOnDisk';
import { toFileName } from '../documents/requestFile';
import { toCheckReport } from './checkReportPresentation';
import { offerConversion } from './offerConversion';
import type { RuleSettings } from './ruleSettings';

/** What a check of a whole file needs. */
export interface FileCheckDependencies {
  readonly jobs: JsonlJobs;
  readonly connections: Connections;
  readonly rules: RuleSettings;
  /** Where the text of unsaved documents stands while it is checked. */
  readonly snapshotFolder: string;
  readonly reports: ReportDocuments;
  /** Ends with the extension. */
  readonly lifetime: AbortSignal;
}

/**
 * The command that checks a whole request file, of any size, and shows a full report beside it; without a target it is the file that
 * is shown, or the user is asked.
 */
export async function checkFile(
  { jobs, connections, rules, snapshotFolder, reports, lifetime }: FileCheckDependencies,
  target: vscode.Uri | undefined,
): Promise<void> {
  const source = await chooseFile(target, {
    question: vscode.l10n.t('Choose the request file to check'),
    openLabel: vscode.l10n.t('Check'),
  });
  const { current } = connections;
  const limits = current?.limits ?? contractLimits;
  const title = vscode.l10n.t('Checking {0}', toLabel(toFileName(source), 80));
  const { report, isUnsaved } = await withProgress(title, lifetime, (signal, tell) =>
    withFileOnDisk(source, snapshotFolder, async (file, isUnsaved) => ({
      isUnsaved,
      report: await jobs.checkFile(
        file,
        { limits, rules: rules.options(source), mostProblems: 10_000 },
        { signal, onProgress: toReport(tell) },
      ),
    })),
  );
  const name = source.scheme === 'file' ? source.fsPath : toFileName(source);
  const shown = toCheckReport(
    { name, place: isUnsaved ? 'editor' : 'disk', limits, connection: current?.name },
    report,
    vscode.l10n.t,
    vscode.env.language,
  );
  await reports.show(vscode.l10n.t('Check of {0}', toFileName(source)), source, shown);
  if (report.problemCounts.error > 0) {
    // Not awaited: the offer stays until it is answered, the check has ended.
    void offerConversion(source).catch(() => {});
  }
}
