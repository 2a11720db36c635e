import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { toReport, withProgress } from '../../../common/asking/progress';
import { detectFileFormat } from '../../../jsonl/building/rowsFormat';
import { RowsError, type RowsFormat, type RowsSurvey } from '../../../jsonl/building/rowsReport';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { unsavedDocument, withFileOnDisk } from '../documents/fileOnDisk';
import { askCsvFormat } from './askCsvFormat';
import { nameOf } from './nameOf';
import { toRowsProblem } from './previewPresentation';

/** How many surveys are kept: one for each file a person works with at a time. */
const mostSurveys = 8;
/** Larger files are looked through only when the user asks for something that needs it. */
const mostGlanceBytes = 64 * 1024 * 1024;

interface Kept {
  readonly stamp: string;
  readonly survey: Promise<RowsSurvey>;
}

/** Files of rows: how each is read, and what was seen of it last, for as long as it stays what it is. */
export class RowsFiles {
  private readonly chosen = new Map<string, RowsFormat>();
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly jobs: JsonlJobs,
    /** Where the text of unsaved documents stands while it is read. */
    private readonly snapshotFolder: string,
    private readonly lifetime: AbortSignal,
  ) {}

  /** Hands `use` a path at which what the user sees of a file can be read. */
  read<T>(uri: vscode.Uri, use: (file: string) => Promise<T>): Promise<T> {
    return withFileOnDisk(uri, this.snapshotFolder, use);
  }

  /** Has a file read as the user says, whatever it looks like. */
  setFormat(uri: vscode.Uri, format: RowsFormat): void {
    this.chosen.set(uri.toString(), format);
  }

  /** How the user said that a file is to be read. */
  chosenFormat(uri: vscode.Uri): RowsFormat | undefined {
    return this.chosen.get(uri.toString());
  }

  /**
   * Looks through a file, unless it has not changed since that was done last. The user is asked how to read it when that cannot be told,
   * and sees how far it is; without `isAsked` neither happens. Throws a sentence for the user when it cannot be read at all.
   */
  async survey(uri: vscode.Uri, isAsked = true): Promise<RowsSurvey> {
    const format = this.chosenFormat(uri) ?? (await this.findFormat(uri, isAsked));
    const key = uri.toString();
    const stamp = `${await stampOf(uri)} ${JSON.stringify(format)}`;
    const kept = this.kept.get(key);
    this.kept.delete(key);
    const survey = kept?.stamp === stamp ? kept.survey : this.look(uri, format, isAsked);
    this.kept.set(key, { stamp, survey });
    survey.catch(() => this.kept.delete(key));
    for (const oldest of [...this.kept.keys()].slice(0, -mostSurveys)) {
      this.kept.delete(oldest);
    }
    return await survey;
  }

  /** What is known of a file, or can be found out in a moment; undefined for a large one that nobody has looked through. */
  async glance(uri: vscode.Uri): Promise<RowsSurvey | undefined> {
    const isKnown = this.kept.has(uri.toString());
    const isLarge = uri.scheme === 'file' && (await stat(uri.fsPath)).size > mostGlanceBytes;
    return isLarge && !isKnown ? undefined : await this.survey(uri, false);
  }

  private look(uri: vscode.Uri, format: RowsFormat, isShown: boolean): Promise<RowsSurvey> {
    const work = (signal: AbortSignal, tell: (words: string, share?: number) => void) =>
      this.read(uri, file => this.jobs.run('surveyRows', { path: file, format }, { signal, onProgress: toReport(tell) }));
    return isShown ? withProgress(vscode.l10n.t('Reading {0}', nameOf(uri)), this.lifetime, work) : work(this.lifetime, () => {});
  }

  private async findFormat(uri: vscode.Uri, isAsked: boolean): Promise<RowsFormat> {
    try {
      const { format, isSure } = await this.read(uri, async file => detectFileFormat(file, path.posix.basename(uri.path)));
      if (isSure || !isAsked || format.kind !== 'csv') {
        return format;
      }
      const answer = await askCsvFormat(uri, format);
      this.setFormat(uri, answer);
      return answer;
    } catch (error) {
      throw error instanceof RowsError ? new Error(toRowsProblem(nameOf(uri), error.problem, vscode.l10n.t), { cause: error }) : error;
    }
  }
}

/** Changes whenever the bytes that one sees of a file do. */
async function stampOf(uri: vscode.Uri): Promise<string> {
  const document = await unsavedDocument(uri);
  if (document !== undefined) {
    return `editor ${document.version}`;
  }
  const { mtimeMs, size, ino } = await stat(uri.fsPath);
  return `${mtimeMs} ${size} ${ino}`;
}
