import * as vscode from 'vscode';
import { chooseFile } from '../../common/chooseFile';
import { toReport, withProgress } from '../../common/progress';
import { ReportDocuments } from '../../common/reportDocuments';
import { toLabel } from '../../common/text';
import { contractLimits } from '../../jsonl/batchRules';
import type { JsonlJobs } from '../../jsonl/jobs';
import type { Connections } from '../connection/connection';
import { withFileOnDisk } from './fileOnDisk';
import { offerConversion } from './offerConversion';
import { toFileName } from './requestFile';
import type { RuleSettings } from './ruleSettings';

export const reportScheme = 'managed-agents-check';

/** The command that checks a whole request file, of any size, and shows a full report beside it. */
export class FileCheck implements vscode.Disposable {
  private readonly reports = new ReportDocuments(reportScheme, () =>
    vscode.l10n.t('This report is no longer kept. Check the file again to get a new one.'),
  );
  private readonly lifetime = new AbortController();

  constructor(
    private readonly jobs: JsonlJobs,
    private readonly connections: Connections,
    private readonly rules: RuleSettings,
    /** Where the text of unsaved documents stands while it is checked. */
    private readonly snapshotFolder: string,
  ) {}

  /** Checks a file; without one it is the one that is shown, or the user is asked. */
  async run(target: vscode.Uri | undefined): Promise<void> {
    const source = await chooseFile(target, {
      question: vscode.l10n.t('Choose the request file to check'),
      openLabel: vscode.l10n.t('Check'),
    });
    const { current } = this.connections;
    const limits = current?.limits ?? contractLimits;
    const { report, isUnsaved } = await withProgress(
      vscode.l10n.t('Checking {0}', toLabel(toFileName(source), 80)),
      this.lifetime.signal,
      (signal, tell) =>
        withFileOnDisk(source, this.snapshotFolder, async (file, isUnsaved) => ({
          isUnsaved,
          report: await this.jobs.checkFile(
            file,
            { limits, rules: this.rules.options(source), mostProblems: 10_000 },
            { signal, onProgress: toReport(tell) },
          ),
        })),
    );
    const name = source.scheme === 'file' ? source.fsPath : toFileName(source);
    const { toCheckReport } = await import('./checkReportPresentation');
    const shown = toCheckReport(
      { name, place: isUnsaved ? 'editor' : 'disk', limits, connection: current?.name },
      report,
      vscode.l10n.t,
      vscode.env.language,
    );
    await this.reports.show(vscode.l10n.t('Check of {0}', toFileName(source)), source, shown);
    if (report.problemCounts.error > 0) {
      // Not awaited: the offer stays until it is answered, the check has ended.
      void offerConversion(source).catch(() => {});
    }
  }

  dispose(): void {
    this.lifetime.abort();
    this.reports.dispose();
  }
}
