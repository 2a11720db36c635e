import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { createDiagnostic, DocumentChecks, toRange } from '../../../common/documents/documentChecks';
import type { Log } from '../../../common/log';
import { findColumnProblems, parseTemplate, rowNumberName } from '../../../jsonl/building/requestTemplate';
import type { RowsSurvey } from '../../../jsonl/building/rowsReport';
import { toLabel } from '../../../shared/text';
import { withoutEnd } from '../../../shared/trim';
import { toProblemSentence } from '../checking/problemsPresentation';
import { isTemplate } from './rowsFiles';

const selector: vscode.DocumentFilter = { pattern: '**/*.batch-template.json' };
const checkDelay = 200;
const maxCharacters = 2_000_000;

/**
 * Registers editor support for request templates: problems, and column completions after `{{` with the values of the first row. `surveyOf`
 * returns the survey of the rows last used with a template, if any.
 */
export function registerTemplateLanguage(
  surveyOf: (template: vscode.Uri) => Promise<RowsSurvey | undefined>,
  onDidChangeRows: vscode.Event<void>,
  log: Log,
): vscode.Disposable {
  // Rows that can't be read are reported when they are used.
  const surveyed = ({ uri }: vscode.TextDocument) => surveyOf(uri).catch(() => undefined);
  const checks = new DocumentChecks({
    name: 'managed-agents-templates',
    matches: ({ uri }) => isTemplate(uri) && /^(?:file|untitled)$/.test(uri.scheme),
    find: async document => findProblems(document, await surveyed(document)),
    delay: checkDelay,
    onFailure: error => log.warn(`A template could not be checked: ${error}`),
  });
  const completions: vscode.CompletionItemProvider = {
    provideCompletionItems: (document, position) => completeColumn(document, position, () => surveyed(document)),
  };
  return combine(
    checks,
    vscode.languages.registerCompletionItemProvider(selector, completions, '{'),
    vscode.workspace.onDidSaveTextDocument(() => checks.checkAll()),
    onDidChangeRows(() => checks.checkAll()),
  );
}

async function completeColumn(
  document: vscode.TextDocument,
  position: vscode.Position,
  surveyed: () => Promise<RowsSurvey | undefined>,
): Promise<vscode.CompletionItem[] | undefined> {
  const before = document.lineAt(position).text.slice(0, position.character);
  const open = /\{\{([^{}"]*)$/.exec(before);
  const opening = before.slice(0, (open?.index ?? 0) + 2);
  if (open === null || (opening.length - withoutEnd(opening, '{').length) % 4 === 0) {
    return undefined;
  }
  const survey = await surveyed();
  const after = document.lineAt(position).text.slice(position.character);
  const closing = /^[^{}"]*\}\}/.test(after) ? '' : '}}';
  const start = position.translate(0, -(open[1] ?? '').length);
  const rest = /^[^{}"]*/.exec(closing === '' ? after : '')?.[0].length ?? 0;
  const items = (survey?.columns ?? []).map(({ name, filled }, index) => {
    const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Field);
    const raw = JSON.stringify(name).slice(1, -1);
    item.insertText = `${raw}${closing}`;
    item.detail =
      filled === survey?.rowCount
        ? undefined
        : vscode.l10n.t('empty in {0} of {1} rows', survey ? survey.rowCount - filled : 0, survey?.rowCount ?? 0);
    item.documentation = toLabel(survey?.first?.values.get(name) ?? '', 300);
    item.sortText = `0${String(index).padStart(5, '0')}`;
    item.filterText = raw;
    return item;
  });
  const row = new vscode.CompletionItem(rowNumberName, vscode.CompletionItemKind.Constant);
  row.insertText = `${rowNumberName}${closing}`;
  row.detail = vscode.l10n.t('Row number, from 1');
  row.sortText = '1';
  const all = survey?.columns.some(({ name }) => name === rowNumberName) ? items : [...items, row];
  for (const item of all) {
    item.range = { inserting: new vscode.Range(start, position), replacing: new vscode.Range(start, position.translate(0, rest)) };
  }
  return all;
}

function findProblems(document: vscode.TextDocument, survey: RowsSurvey | undefined): readonly vscode.Diagnostic[] {
  const text = document.getText();
  const template = text.length > maxCharacters ? undefined : parseTemplate(text);
  // VS Code itself reports JSON syntax errors.
  const own = (template?.problems ?? []).filter(({ rule }) => rule !== 'json-syntax');
  const columns = template === undefined || survey === undefined ? [] : findColumnProblems(template, namesOf(survey));
  return [...own, ...columns].map(problem => {
    const message = toProblemSentence(problem.text, vscode.l10n.t);
    const severity = problem.severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
    return createDiagnostic(toRange(document, problem), message, severity, problem.rule);
  });
}

function namesOf({ columns }: RowsSurvey): string[] {
  return columns.map(({ name }) => name);
}
