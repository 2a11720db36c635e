import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { toReport, withProgress } from '../../../common/asking/progress';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { JoinedResults } from '../../../jsonl/results/joinedResults';
import type { ResultsReport } from '../../../jsonl/results/resultsReport';
import { hasForeignResults } from '../../../jsonl/scanning/fileKind';
import { toLabel } from '../../../shared/text';
import { readFirstLines } from '../../requests';

/** A results file that somebody has, and of whose batch nothing is known on this machine: it is shown in its own order, without lines of a source. */
export class UnknownResults {
  private readonly folder: string;
  private readonly lifetime = new AbortController();

  constructor(
    readonly path: string,
    private readonly jobs: Pick<JsonlJobs, 'joinResults' | 'run'>,
    /** Folder of this extension. What is made of the file stands there until it is shown no more. */
    storage: string,
  ) {
    this.folder = join(storage, 'tables', createHash('sha256').update(path).digest('hex').slice(0, 32));
  }

  get name(): string {
    return basename(this.path);
  }

  /** Reads the file as it is now. Throws `NotResultsError`, or the system's error when it is gone. */
  async read(): Promise<{ readonly joined: JoinedResults; readonly report: ResultsReport }> {
    await mkdir(this.folder, { recursive: true });
    const joined = { joinedPath: join(this.folder, 'table.jsonl'), indexPath: join(this.folder, 'table.index') };
    const title = vscode.l10n.t('Reading {0}', toLabel(this.name, 80));
    const isForeign = hasForeignResults(await readFirstLines(this.path));
    const rawPath = isForeign ? join(this.folder, 'converted.jsonl') : this.path;
    const { report } = await withProgress(title, this.lifetime.signal, async (signal, tell) => {
      if (isForeign) {
        await this.jobs.run('convertResults', { path: this.path, outPath: rawPath }, { signal });
      }
      return await this.jobs.joinResults({ rawPath, ...joined }, { signal, onProgress: toReport(tell) });
    });
    return { joined, report };
  }

  /** Ends what is being read. */
  close(): void {
    this.lifetime.abort();
  }

  /** Removes what was made of the file. */
  async discard(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
