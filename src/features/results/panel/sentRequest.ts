import path from 'node:path';
import * as vscode from 'vscode';
import { exists } from '../../../common/asking/newFile';
import { fileNameOf } from '../../../common/files/fileNameOf';
import { lineOfDerivedId } from '../../../jsonl/files/derivedIds';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { RequestHashes } from '../../../jsonl/merging/requestHashes';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import { isJson, membersOf } from '../../../jsonl/scanning/jsonMembers';
import { toLabel } from '../../../shared/text';
import { type Submission, type SubmissionRegistry, submissionFiles } from '../../ledger';
import type { ShownResults } from '../shownResults';

/** Current position and contents of a request. */
export interface FoundRequest {
  /** `params` as JSON text. */
  readonly params: string;
  /** File that the user edits, and the 0-based line in it. The line is `undefined` if only a sent copy has the request. */
  readonly file: vscode.Uri;
  readonly line: number | undefined;
  /** True if the request has not changed since it was sent. `undefined` if this is unknown. */
  readonly isSame: boolean | undefined;
}

interface RequestSource {
  readonly registry: Pick<SubmissionRegistry, 'folder'>;
  readonly jobs: Pick<JsonlJobs, 'run'>;
}

/** Finds the requests of fetched results in their files, one at a time and without loading the files in this thread. */
export class SentRequests {
  private readonly hashes = new Map<string, Promise<RequestHashes | undefined>>();

  constructor(
    private readonly source: RequestSource,
    private readonly shown: ShownResults,
  ) {}

  /** Returns the request of an entry, or `undefined` if no file has it any more. Searches the files of the newest run first. */
  async find(entry: ResultEntry, signal: AbortSignal): Promise<FoundRequest | undefined> {
    const asked = new Set<string>();
    for (const submission of this.shown.submissions) {
      const file = vscode.Uri.parse(submission.source);
      const onDisk = await this.pathOf(submission, file);
      if (onDisk === undefined || asked.has(onDisk)) {
        continue;
      }
      asked.add(onDisk);
      const found = await this.findIn(onDisk, entry, signal);
      if (found !== undefined) {
        // A retry sends a copy of the file, in which the requests are on other lines.
        const isCopy = submission.follows?.purpose === 'retry' && onDisk !== file.fsPath;
        const line = isCopy ? await this.lineIn(file, entry, signal) : found.line;
        return { ...found, file, line, isSame: await this.isSame(entry.customId, found.params) };
      }
    }
    return undefined;
  }

  whyNot(): string {
    const [submission] = this.shown.submissions;
    const name = toLabel(fileNameOf(vscode.Uri.parse(submission?.source ?? '')), 120);
    return vscode.l10n.t('The request is no longer in {0}.', name);
  }

  private async pathOf(submission: Submission, file: vscode.Uri): Promise<string | undefined> {
    const copy = path.join(this.source.registry.folder(submission.id), submissionFiles.editorCopy);
    if (submission.fromEditor === true && (await exists(copy))) {
      return copy;
    }
    return file.scheme === 'file' && (await exists(file.fsPath)) ? file.fsPath : undefined;
  }

  private async lineIn(file: vscode.Uri, entry: ResultEntry, signal: AbortSignal): Promise<number | undefined> {
    return file.scheme === 'file' && (await exists(file.fsPath)) ? (await this.findIn(file.fsPath, entry, signal))?.line : undefined;
  }

  private async findIn(
    file: string,
    { customId, line }: ResultEntry,
    signal: AbortSignal,
  ): Promise<{ readonly params: string; readonly line: number } | undefined> {
    const bareLine = lineOfDerivedId(customId);
    const wanted = { line: Math.max(0, line), customId };
    const found = await this.source.jobs.run('findLine', { path: file, wanted }, { signal });
    const params = found && paramsOfRequest(found.text, customId);
    if (found !== undefined && params !== undefined) {
      return { params, line: found.line };
    }
    if (bareLine === undefined) {
      return undefined;
    }
    // The id of bare params was derived from their line.
    const bare = await this.source.jobs.run('findLine', { path: file, wanted: { line: bareLine } }, { signal });
    const bareParams = bare && paramsOfRequest(bare.text, undefined);
    return bare !== undefined && bareParams !== undefined ? { params: bareParams, line: bare.line } : undefined;
  }

  private async isSame(id: string, params: string): Promise<boolean | undefined> {
    for (const submission of this.shown.submissions) {
      const hashes = await this.hashesOf(submission);
      const isSame = hashes?.isSame(id, params);
      if (isSame !== undefined) {
        return isSame;
      }
    }
    return undefined;
  }

  private async hashesOf({ id }: Submission): Promise<RequestHashes | undefined> {
    const folder = this.source.registry.folder(id);
    const opened =
      this.hashes.get(id) ??
      // Batches of older versions have no hashes.
      RequestHashes.open(path.join(folder, submissionFiles.requestHashes), path.join(folder, submissionFiles.lines)).catch(() => undefined);
    this.hashes.set(id, opened);
    return await opened;
  }
}

/** Returns the `params` of a request line with this id, or the line itself if the line is bare params and no id is given. */
function paramsOfRequest(line: string, customId: string | undefined): string | undefined {
  const text = line.trim();
  const members = text.startsWith('{') && isJson(text) ? membersOf(text) : undefined;
  const id = members?.get('custom_id');
  const params = members?.get('params');
  if (customId === undefined) {
    return members !== undefined && id === undefined && params === undefined ? text : undefined;
  }
  return id !== undefined && JSON.parse(id) === customId ? params : undefined;
}
