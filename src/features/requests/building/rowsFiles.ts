import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice, runQuestions } from '../../../common/asking/askSteps';
import { chooseFile } from '../../../common/asking/chooseFile';
import { askFiles } from '../../../common/asking/newFile';
import { fileNameOf } from '../../../common/files/fileNameOf';
import { compareColumns, parseTemplate } from '../../../jsonl/building/requestTemplate';
import { csvDelimiters, detectFileFormat } from '../../../jsonl/building/rowsFormat';
import type { RowsFormat, RowsSurvey } from '../../../jsonl/building/rowsReport';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { TextError } from '../../../jsonl/reading/textFile';
import { toLabel } from '../../../shared/text';
import { diskStampOf, unsavedDocument, withFileOnDisk } from '../documents/fileOnDisk';
import { fileLabelOf } from '../documents/requestFile';
import { runJob } from '../fileWork';
import { toDelimiterName, toRowsProblem } from './previewPresentation';

/** Maximum number of cached surveys: one for each file that a user works with at the same time. */
const maxSurveys = 8;
/** Maximum size of a file to survey without a request by the user, in bytes. */
const maxAutomaticBytes = 64 * 1024 * 1024;

/** Formats of files of rows, and a cache of their surveys. */
export class RowsFiles {
  private readonly chosen = new Map<string, RowsFormat>();
  private readonly cached = new Map<string, { readonly stamp: string; readonly survey: Promise<RowsSurvey> }>();

  constructor(
    private readonly jobs: JsonlJobs,
    private readonly snapshotFolder: string,
    private readonly lifetime: AbortSignal,
  ) {}

  /** Calls `use` with the path of a file that has the text in the editor. */
  read<T>(uri: vscode.Uri, use: (file: string) => Promise<T>): Promise<T> {
    return withFileOnDisk(uri, this.snapshotFolder, use);
  }

  setFormat(uri: vscode.Uri, format: RowsFormat): void {
    this.chosen.set(uri.toString(), format);
  }

  chosenFormat(uri: vscode.Uri): RowsFormat | undefined {
    return this.chosen.get(uri.toString());
  }

  /**
   * Returns the survey of a file, from the cache if the file is unchanged. If `isAsked`, shows progress, and asks for an uncertain format.
   * Throws an error for the user if the file can't be read.
   */
  async survey(uri: vscode.Uri, isAsked = true): Promise<RowsSurvey> {
    const format = this.chosenFormat(uri) ?? (await this.findFormat(uri, isAsked));
    const key = uri.toString();
    const document = await unsavedDocument(uri);
    const version = document === undefined ? await diskStampOf(uri.fsPath) : `editor ${document.version}`;
    const stamp = `${version} ${JSON.stringify(format)}`;
    const entry = this.cached.get(key);
    this.cached.delete(key);
    const survey = entry?.stamp === stamp ? entry.survey : this.readSurvey(uri, format, isAsked);
    this.cached.set(key, { stamp, survey });
    survey.catch(() => this.cached.delete(key));
    for (const oldest of [...this.cached.keys()].slice(0, -maxSurveys)) {
      this.cached.delete(oldest);
    }
    return await survey;
  }

  /** Returns the survey of a file, or `undefined` for a large file without a cached survey. */
  async glance(uri: vscode.Uri): Promise<RowsSurvey | undefined> {
    const isKnown = this.cached.has(uri.toString());
    const isLarge = uri.scheme === 'file' && (await stat(uri.fsPath)).size > maxAutomaticBytes;
    return isLarge && !isKnown ? undefined : await this.survey(uri, false);
  }

  private readSurvey(uri: vscode.Uri, format: RowsFormat, isShown: boolean): Promise<RowsSurvey> {
    const title = vscode.l10n.t('Reading {0}', fileLabelOf(uri));
    const { jobs, lifetime } = this;
    return this.read(uri, file =>
      isShown
        ? runJob({ jobs, lifetime }, title, 'surveyRows', { path: file, format })
        : jobs.run('surveyRows', { path: file, format }, { signal: lifetime }),
    );
  }

  private async findFormat(uri: vscode.Uri, isAsked: boolean): Promise<RowsFormat> {
    try {
      const { format, isSure } = await this.read(uri, async file => detectFileFormat(file, fileNameOf(uri)));
      if (isSure || !isAsked || format.kind !== 'csv') {
        return format;
      }
      const answer = await askCsvFormat(uri, format);
      this.setFormat(uri, answer);
      return answer;
    } catch (error) {
      throw error instanceof TextError ? new Error(toRowsProblem(fileLabelOf(uri), error.problem, vscode.l10n.t), { cause: error }) : error;
    }
  }
}

type CsvFormat = Extract<RowsFormat, { kind: 'csv' }>;

/** Asks for the format of a CSV file. Rejects with `CancelledError` if the user presses Escape. */
export async function askCsvFormat(uri: vscode.Uri, current: CsvFormat): Promise<CsvFormat> {
  const title = vscode.l10n.t('CSV Format of {0}', fileLabelOf(uri));
  let { delimiter, hasHeader } = current;
  const askDelimiter = async (canGoBack: boolean) => {
    delimiter = await askChoice({
      title,
      step: 1,
      totalSteps: 2,
      canGoBack,
      placeholder: vscode.l10n.t('Choose the delimiter'),
      choices: csvDelimiters.map(value => ({ label: toDelimiterName(value, vscode.l10n.t), value })),
      active: delimiter,
    });
  };
  const askHeader = async (canGoBack: boolean) => {
    hasHeader = await askChoice<boolean>({
      title,
      step: 2,
      totalSteps: 2,
      canGoBack,
      placeholder: vscode.l10n.t('Select what the first line contains'),
      choices: [
        { label: vscode.l10n.t('Column names'), value: true },
        { label: vscode.l10n.t('A row'), value: false, detail: vscode.l10n.t('column1, column2, …') },
      ],
      active: hasHeader,
    });
  };
  await runQuestions(() => [askDelimiter, askHeader]);
  return { kind: 'csv', delimiter, hasHeader };
}

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
 * Asks for the template for rows. The user can choose a template from the workspace (matching templates first), any other file, or a new
 * template (`undefined`). Rejects with `CancelledError`.
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
        label: fileNameOf(value),
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
  const name = fileNameOf(uri);
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

/** Returns whether a file has the name of a template. */
export function isTemplate(uri: vscode.Uri): boolean {
  return uri.path.endsWith(templateEnding);
}

export const templateEnding = '.batch-template.json';
