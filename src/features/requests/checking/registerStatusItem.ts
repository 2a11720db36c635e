import * as vscode from 'vscode';
import { afterStart } from '../../../common/afterStart';
import { combine } from '../../../common/disposables';
import { toProblemCount } from '../../../shared/text';
import type { OpenRequestFile, RequestDocuments } from '../documents/requestDocuments';
import { countProblems, toRequestCount } from './problemsPresentation';

/** Shows `412 requests · 3 problems` in the language status of a request file. */
export function registerStatusItem(documents: RequestDocuments): vscode.Disposable {
  let item: vscode.LanguageStatusItem | undefined;
  const show = () => {
    const editor = vscode.window.activeTextEditor;
    const file = editor === undefined ? undefined : documents.get(editor.document);
    if (file === undefined) {
      item?.dispose();
      item = undefined;
      return;
    }
    const { scheme } = file.document.uri;
    const selector: vscode.DocumentFilter = { scheme, language: file.document.languageId };
    item ??= vscode.languages.createLanguageStatusItem('managedAgents.requestFile', selector);
    item.selector = selector;
    fill(item, file);
  };
  return combine(
    afterStart(show),
    vscode.window.onDidChangeActiveTextEditor(show),
    documents.onDidOpen(show),
    documents.onDidChange(show),
    documents.onDidClose(show),
    { dispose: () => item?.dispose() },
  );
}

function fill(item: vscode.LanguageStatusItem, { requests }: OpenRequestFile): void {
  const { t } = vscode.l10n;
  const { language } = vscode.env;
  const totals = requests.checker?.totals;
  item.name = t('Batch Requests');
  item.busy = requests.isBusy;
  if (totals === undefined) {
    item.text = t('Checking requests…');
    item.severity = vscode.LanguageStatusSeverity.Information;
    item.command = undefined;
    return;
  }
  const { problemCounts } = totals;
  item.text = `${toRequestCount(totals.requests, t, language)} · ${toProblemCount(problemCounts, t, language)}`;
  item.severity =
    problemCounts.error > 0
      ? vscode.LanguageStatusSeverity.Error
      : problemCounts.warning > 0
        ? vscode.LanguageStatusSeverity.Warning
        : vscode.LanguageStatusSeverity.Information;
  item.command =
    countProblems(problemCounts) > 0 ? { title: t('Show Problems'), command: 'workbench.panel.markers.view.focus' } : undefined;
}
