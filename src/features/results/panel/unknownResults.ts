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
import { tableFolder } from '../table/openTable';

/** Results file of a batch that is unknown on this machine. The results are shown in file order, without source lines. */
export class UnknownResults {
  private readonly folder: string;
  private readonly lifetime = new AbortController();

  constructor(
    readonly path: string,
    private readonly jobs: Pick<JsonlJobs, 'run'>,
    /** Storage folder of this extension. It holds derived files while the results are shown. */
    storage: string,
  ) {
    this.folder = tableFolder(storage, path);
  }

  get name(): string {
    return basename(this.path);
  }

  /** Reads the current file. Throws a `NotResultsError`, or a file system error if it is missing. */
  async read(): Promise<{ readonly joined: JoinedResults; readonly report: ResultsReport }> {
    await mkdir(this.folder, { recursive: true });
    const joined = { joinedPath: join(this.folder, 'table.jsonl'), indexPath: join(this.folder, 'table.index') };
    const title = vscode.l10n.t('Reading {0}', toLabel(this.name, 80));
    const isForeign = hasForeignResults(await readFirstLines(this.path));
    const rawPath = isForeign ? join(this.folder, 'converted.jsonl') : this.path;
    const { report } = await withProgress(title, this.lifetime.signal, async (signal, reportProgress) => {
      if (isForeign) {
        await this.jobs.run('convertResults', { path: this.path, outPath: rawPath }, { signal });
      }
      return await this.jobs.run('joinResults', { rawPath, ...joined }, { signal, onProgress: toReport(reportProgress) });
    });
    return { joined, report };
  }

  close(): void {
    this.lifetime.abort();
  }

  async discard(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
