import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice } from '../../../common/asking/askSteps';
import { chooseFile } from '../../../common/asking/chooseFile';
import { askFiles } from '../../../common/asking/newFile';
import { compareColumns, parseTemplate } from '../../../jsonl/building/requestTemplate';
import type { RowsSurvey } from '../../../jsonl/building/rowsReport';
import { toLabel } from '../../../shared/text';

const maxTemplates = 50;

/** Returns the given or active file of rows, or lets the user choose one. Rejects with `CancelledError`. */
export async function chooseRows(given: vscode.Uri | undefined): Promise<vscode.Uri> {
  return await chooseFile(given, {
    question: vscode.l10n.t('Select a file with rows'),
    openLabel: vscode.l10n.t('Open'),
    extensions: ['csv', 'tsv', 'jsonl', 'ndjson', 'json', 'txt'],
    fits: mayBeRows,
  });
}

/**
 * Asks for the template for rows: one from the workspace (matching ones first), one from anywhere, or a new one (`undefined`). Rejects with
 * `CancelledError`.
 */
export async function chooseTemplate(survey: RowsSurvey): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const columns = survey.columns.map(({ name }) => name);
  const found = await vscode.workspace.findFiles(`**/*${templateEnding}`, '**/node_modules/**', maxTemplates);
  const templates = await Promise.all(
    found.map(async value => {
      const missing = await missingColumns(value, columns);
      const folder = path.posix.dirname(vscode.workspace.asRelativePath(value));
      return {
        label: path.posix.basename(value.path),
        ...(folder !== '.' && { description: folder }),
        detail: missing.length === 0 ? t('All columns found') : t('Missing columns: {0}', toLabel(missing.join(', '), 80)),
        value,
        missing: missing.length,
      };
    }),
  );
  templates.sort((a, b) => a.missing - b.missing || a.label.localeCompare(b.label));
  const choice = await askChoice<vscode.Uri | 'new' | 'browse'>({
    title: t('Request templates'),
    placeholder: t('Select a template'),
    choices: [
      ...templates.filter(({ missing }) => missing === 0),
      { label: `$(new-file) ${t('New Template with These Columns')}`, detail: toLabel(columns.join(', '), 120), value: 'new' },
      ...templates.filter(({ missing }) => missing > 0),
      { label: `$(folder-opened) ${t('Browse...')}`, alwaysShow: true, value: 'browse' },
    ],
  });
  if (choice !== 'browse') {
    return choice === 'new' ? undefined : choice;
  }
  return (await askFiles({ openLabel: t('Open'), filters: { [t('Request templates')]: ['json'] } }))[0];
}

function mayBeRows(uri: vscode.Uri): boolean {
  const name = path.posix.basename(uri.path);
  return !isTemplate(uri) && !/\.agent\.json$|^(?:package(?:-lock)?|tsconfig.*)\.json$/i.test(name) && !/\/\.[^/]+\//.test(uri.path);
}

async function missingColumns(uri: vscode.Uri, columns: readonly string[]): Promise<readonly string[]> {
  try {
    const text = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
    return compareColumns(parseTemplate(text), columns).missing.map(({ name }) => name);
  } catch {
    // An unreadable file is reported when the user chooses it.
    return [];
  }
}

/** Returns whether a file name is that of a template. */
export function isTemplate(uri: vscode.Uri): boolean {
  return uri.path.endsWith(templateEnding);
}

export const templateEnding = '.batch-template.json';
