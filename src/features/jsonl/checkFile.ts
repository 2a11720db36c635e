import path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError, toAbortSignal } from '../../common/cancellation';
import { combine } from '../../common/disposables';
import { ReadonlyDocuments } from '../../common/readonlyDocuments';
import { withoutLinks } from '../../common/withoutLinks';
import { contractLimits } from '../../jsonl/batchRules';
import type { JsonlJobs } from '../../jsonl/jobs';
import type { Connections } from '../connection/connection';
import { type ReportLink, toCheckReport } from './checkReportPresentation';
import { withSnapshot } from './documentSnapshot';
import { activeUri, mayBeRequestFile, toFileName } from './requestFile';

export const reportScheme = 'managed-agents-check';

/** The command that checks a whole request file, of any size, and shows a full report beside it. */
export class FileCheck implements vscode.DocumentLinkProvider, vscode.Disposable {
  private readonly documents = new ReadonlyDocuments(reportScheme, () =>
    vscode.l10n.t('This report is no longer kept. Check the file again to get a new one.'),
  );
  private readonly links = new Map<string, { readonly source: vscode.Uri; readonly links: readonly ReportLink[] }>();
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly jobs: JsonlJobs,
    private readonly connections: Connections,
    /** Where the text of unsaved documents stands while it is checked. */
    private readonly snapshotFolder: string,
  ) {
    this.subscriptions = combine(
      vscode.languages.registerDocumentLinkProvider({ scheme: reportScheme }, this),
      this.documents.onDidClose(uri => this.links.delete(uri.toString())),
    );
  }

  /** Checks a file; without one it is the one that is shown, or the user is asked. */
  async run(target: vscode.Uri | undefined): Promise<void> {
    const source = target ?? (await chooseFile());
    const document = vscode.workspace.textDocuments.find(candidate => candidate.uri.toString() === source.toString());
    const isUnsaved = document !== undefined && (document.isDirty || document.uri.scheme !== 'file');
    const { current } = this.connections;
    const limits = current?.limits ?? contractLimits;
    const report = await withCancellableProgress(vscode.l10n.t('Checking {0}', toFileName(source)), (signal, onProgress) => {
      const check = (file: string) => this.jobs.checkFile(file, limits, { signal, onProgress });
      if (!isUnsaved) {
        return check(toPath(source));
      }
      const changed = vscode.l10n.t('{0} was edited while it was read. Check it again.', toFileName(source));
      return withSnapshot(document, this.snapshotFolder, changed, check);
    });
    const name = source.scheme === 'file' ? source.fsPath : toFileName(source);
    const { text, links } = toCheckReport(
      { name, place: isUnsaved ? 'editor' : 'disk', limits, connection: current?.name },
      report,
      vscode.l10n.t,
      vscode.env.language,
    );
    const uri = this.documents.create(`${vscode.l10n.t('Check of {0}', toFileName(source))}.txt`, text);
    this.links.set(uri.toString(), { source, links });
    const shown = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(shown, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const report = this.links.get(document.uri.toString());
    return (report?.links ?? []).map(({ reportLine, length, line, column }) => {
      const range = new vscode.Range(reportLine, 0, reportLine, length);
      return new vscode.DocumentLink(range, report?.source.with({ fragment: `L${line + 1},${column + 1}` }));
    });
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.documents.dispose();
    this.links.clear();
  }
}

function toPath(uri: vscode.Uri): string {
  if (uri.scheme !== 'file') {
    throw new Error(vscode.l10n.t('{0} is not a file on this machine. Save it to disk, then check it again.', toFileName(uri)));
  }
  return uri.fsPath;
}

async function withCancellableProgress<T>(
  title: string,
  work: (signal: AbortSignal, onProgress: (progress: { readonly doneBytes: number; readonly totalBytes: number }) => void) => Promise<T>,
): Promise<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true },
    async (progress, token) => {
      const { signal, dispose } = toAbortSignal(token);
      let shown = 0;
      try {
        return await work(signal, ({ doneBytes, totalBytes }) => {
          const percent = totalBytes === 0 ? 100 : Math.floor((doneBytes / totalBytes) * 100);
          if (percent > shown) {
            progress.report({ increment: percent - shown, message: `${percent} %` });
            shown = percent;
          }
        });
      } finally {
        dispose();
      }
    },
  );
}

/** The request file the user is looking at, or one of the workspace, or one from anywhere. */
async function chooseFile(): Promise<vscode.Uri> {
  const active = activeUri();
  if (active !== undefined && (mayBeRequestFile(active) || isJsonLines(active))) {
    return active;
  }
  const found = await vscode.workspace.findFiles('**/*.{jsonl,ndjson}', '**/node_modules/**', 500);
  const browse = { label: `$(folder-opened) ${vscode.l10n.t('Browse…')}`, uri: undefined };
  const items = found
    .map(uri => ({ label: path.basename(uri.path), description: vscode.workspace.asRelativePath(uri), uri }))
    .sort((a, b) => a.description.localeCompare(b.description));
  const placeHolder = vscode.l10n.t('Choose the request file to check');
  const choice =
    items.length === 0 ? browse : await vscode.window.showQuickPick([...items, browse], { placeHolder, matchOnDescription: true });
  if (choice === undefined) {
    throw new CancelledError();
  }
  const filters = { [vscode.l10n.t('Request files')]: ['jsonl', 'ndjson'] };
  const picked = choice.uri ?? (await vscode.window.showOpenDialog({ filters, openLabel: vscode.l10n.t('Check') }))?.[0];
  if (picked === undefined) {
    throw new CancelledError();
  }
  return picked;
}

function isJsonLines(uri: vscode.Uri): boolean {
  return vscode.window.activeTextEditor?.document.uri.toString() === uri.toString()
    ? vscode.window.activeTextEditor.document.languageId === 'jsonl'
    : false;
}
