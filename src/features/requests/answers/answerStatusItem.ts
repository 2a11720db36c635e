import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import { reviewCount } from '../../../jsonl/results/resultsReport';
import { describeFacts } from '../../../jsonl/results/resultsSummary';
import type { RequestDocuments } from '../documents/requestDocuments';
import { toPendingTitle } from './answerHover';
import { toReference } from './answerRuns';
import type { DocumentAnswers } from './documentAnswers';

/** Shows `1,204 succeeded, 12 failed` in the language status of a request file, which leads to them in the table. */
export function registerAnswerStatusItem(documents: RequestDocuments, answers: DocumentAnswers): vscode.Disposable {
  let item: vscode.LanguageStatusItem | undefined;
  const show = () => {
    const { t } = vscode.l10n;
    const editor = vscode.window.activeTextEditor;
    const file = editor === undefined ? undefined : documents.get(editor.document);
    const shown = file && answers.shown(file);
    const [pending] = file === undefined ? [] : answers.pending(file);
    if (file === undefined || (shown === undefined && pending === undefined)) {
      item?.dispose();
      item = undefined;
      return;
    }
    const { uri, languageId } = file.document;
    const selector: vscode.DocumentFilter = { scheme: uri.scheme, language: languageId };
    item ??= vscode.languages.createLanguageStatusItem('managedAgents.answers', selector);
    item.selector = selector;
    item.name = t('Batch Answers');
    const waits = pending && toPendingTitle(pending, false, { translate: t, locale: vscode.env.language, now: Date.now() });
    const report = shown?.results.report;
    item.text = report === undefined ? (waits ?? '') : describeFacts(report, { translate: t, locale: vscode.env.language });
    item.detail = report === undefined ? undefined : waits;
    const target = shown === undefined ? uri : toReference(shown);
    const count = report === undefined ? 0 : reviewCount(report);
    item.severity = count > 0 ? vscode.LanguageStatusSeverity.Warning : vscode.LanguageStatusSeverity.Information;
    item.command =
      count > 0
        ? commandLink('managedAgents.results.show', t('Show Them'), target, undefined, 'status!=succeeded')
        : report === undefined
          ? undefined
          : commandLink('managedAgents.results.show', t('Show Results Table'), target);
  };
  show();
  return combine(
    vscode.window.onDidChangeActiveTextEditor(show),
    documents.onDidOpen(show),
    documents.onDidClose(show),
    answers.onDidChange(show),
    { dispose: () => item?.dispose() },
  );
}
