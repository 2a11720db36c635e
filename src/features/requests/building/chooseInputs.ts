import path from 'node:path';
import * as vscode from 'vscode';
import { chooseFile } from '../../../common/asking/chooseFile';
import { CancelledError } from '../../../common/cancellation';
import { compareColumns, parseTemplate } from '../../../jsonl/building/requestTemplate';
import type { RowsSurvey } from '../../../jsonl/building/rowsReport';
import { toLabel } from '../../../shared/text';

/** Maximum number of workspace templates to read. */
const maxTemplates = 50;

/** Returns the given file of rows, or the active one, or lets the user choose. Rejects with `CancelledError`. */
export async function chooseRows(given: vscode.Uri | undefined): Promise<vscode.Uri> {
  return await chooseFile(given, {
    question: vscode.l10n.t('Select a file with rows'),
    openLabel: vscode.l10n.t('Open'),
    extensions: ['csv', 'tsv', 'jsonl', 'ndjson', 'json', 'txt'],
    fits: mayBeRows,
  });
}

/** Returns the given template, or the active one, or lets the user choose. Rejects with `CancelledError`. */
export async function chooseExistingTemplate(given: vscode.Uri | undefined): Promise<vscode.Uri> {
  return await chooseFile(given, {
    question: vscode.l10n.t('Select a template'),
    openLabel: vscode.l10n.t('Open'),
    extensions: ['json'],
    fits: isTemplate,
  });
}

/**
 * Asks the user to choose a template for rows: one of the workspace, matching ones first, one from anywhere, or a new one (`undefined`).
 * Rejects with `CancelledError`.
 */
export async function chooseTemplate(survey: RowsSurvey): Promise<vscode.Uri | undefined> {
  const columns = survey.columns.map(({ name }) => name);
  const found = await vscode.workspace.findFiles(`**/*${templateEnding}`, '**/node_modules/**', maxTemplates);
  const items = await Promise.all(
    found.map(async uri => {
      const { missing } = await readColumns(uri, columns);
      const folder = path.posix.dirname(vscode.workspace.asRelativePath(uri));
      const detail =
        missing.length === 0 ? vscode.l10n.t('Fits these rows') : vscode.l10n.t('Missing columns: {0}', toLabel(missing.join(', '), 80));
      return {
        label: path.posix.basename(uri.path),
        description: folder === '.' ? undefined : folder,
        detail,
        uri,
        missing: missing.length,
      };
    }),
  );
  items.sort((a, b) => a.missing - b.missing || a.label.localeCompare(b.label));
  const fresh = { label: `$(new-file) ${vscode.l10n.t('New Template with These Columns')}`, detail: toLabel(columns.join(', '), 120) };
  const browse = { label: `$(folder-opened) ${vscode.l10n.t('Browse...')}`, alwaysShow: true };
  const fits = items.filter(({ missing }) => missing === 0);
  const others = items.filter(({ missing }) => missing > 0);
  const offered: readonly (vscode.QuickPickItem & { readonly uri?: vscode.Uri })[] = [...fits, fresh, ...others, browse];
  const choice = await vscode.window.showQuickPick(offered, {
    placeHolder: vscode.l10n.t('Select a template'),
    matchOnDescription: true,
  });
  if (choice === undefined) {
    throw new CancelledError();
  }
  if (choice !== browse) {
    return choice.uri;
  }
  const picked = await vscode.window.showOpenDialog({
    openLabel: vscode.l10n.t('Open'),
    filters: { [vscode.l10n.t('Request templates')]: ['json'] },
  });
  if (picked?.[0] === undefined) {
    throw new CancelledError();
  }
  return picked[0];
}

function mayBeRows(uri: vscode.Uri): boolean {
  const name = path.posix.basename(uri.path);
  return !isTemplate(uri) && !/\.agent\.json$|^(?:package(?:-lock)?|tsconfig.*)\.json$/i.test(name) && !/\/\.[^/]+\//.test(uri.path);
}

async function readColumns(uri: vscode.Uri, columns: readonly string[]): Promise<{ readonly missing: readonly string[] }> {
  try {
    const text = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
    return { missing: compareColumns(parseTemplate(text), columns).missing.map(({ name }) => name) };
  } catch {
    // If the file is deleted or unreadable, choosing it reports that.
    return { missing: [] };
  }
}

/** Returns whether a file name is that of a template. */
export function isTemplate(uri: vscode.Uri): boolean {
  return uri.path.endsWith(templateEnding);
}

export const templateEnding = '.batch-template.json';
