import path from 'node:path';
import type { ExpectationProblem } from '../../jsonl/expecting/expectation';
import type { JudgedGroup, JudgedResults, JudgedRow } from '../../jsonl/expecting/judgeResults';
import { stampIfReadable } from '../../jsonl/files/publishing';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import type { JoinedResults } from '../../jsonl/results/joinedResults';
import { ResultsIndex } from '../../jsonl/results/resultsIndex';
import type { ResultEntry } from '../../jsonl/results/resultsReport';
import type { RunResults } from '../ledger';

/** Requests with the same outcome. `missing` means that they have no answer. */
export type TestGroup = (JudgedGroup & { readonly number: number }) | { readonly kind: 'missing'; readonly count: number };

export interface TestedRequest {
  readonly customId: string;
  /** Result of the request. `undefined` if there is no answer. */
  readonly entry: ResultEntry | undefined;
}

interface Judged {
  /** Key of the versions of the judged files. */
  readonly key: string;
  readonly joined: JoinedResults;
  readonly index: ResultsIndex;
  readonly results: JudgedResults;
  readonly missing: number;
}

/** Judged request file with fetched results: groups of passed requests and of each cause of failure. */
export class TestedFile {
  private judged: Judged | undefined;
  private judging: Promise<void> = Promise.resolve();

  constructor(
    /** URI string of the request file. */
    readonly source: string,
    readonly expectationsPath: string,
    private readonly jobs: Pick<JsonlJobs, 'run'>,
    private readonly folder: (submissionId: string) => string,
  ) {}

  /** Judges the results again if a file has changed. Waits for a judgement in progress. Throws if the results can't be read. */
  judge(results: RunResults, signal: AbortSignal): Promise<void> {
    const judging = this.judging.then(() => this.judgeNow(results, signal));
    this.judging = judging.catch(() => undefined);
    return judging;
  }

  private async judgeNow({ joinedPath, submissionId, indexName, fetchedAt }: RunResults, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const indexPath = path.join(this.folder(submissionId), indexName);
    const key = `${indexPath}\n${fetchedAt}\n${await stampIfReadable(joinedPath)}\n${await stampIfReadable(this.expectationsPath)}`;
    if (this.judged?.key === key) {
      return;
    }
    const { expectationsPath } = this;
    const index = await ResultsIndex.open(indexPath, joinedPath);
    const results = await this.jobs.run('judgeResults', { joinedPath, indexPath, expectationsPath }, { signal });
    const missing = [...index.missingIds()].length;
    this.judged = { key, joined: { joinedPath, indexPath }, index, results, missing };
  }

  /** Groups of failed requests, largest first, then the group of passed requests. */
  get groups(): readonly TestGroup[] {
    if (this.judged === undefined) {
      return [];
    }
    const { results, missing } = this.judged;
    const numbered = results.groups.map((group, number) => ({ ...group, number })).filter(({ count }) => count > 0);
    const failed: TestGroup[] = numbered.filter(({ kind }) => kind !== 'passed');
    if (missing > 0) {
      failed.push({ kind: 'missing', count: missing });
    }
    return [...failed.sort((a, b) => b.count - a.count), ...numbered.filter(({ kind }) => kind === 'passed')];
  }

  get joined(): JoinedResults | undefined {
    return this.judged?.joined;
  }

  get problems(): readonly ExpectationProblem[] {
    return this.judged?.results.problems ?? [];
  }

  /** Returns at most `count` requests of a group, starting at `first`. */
  requests(group: TestGroup, first: number, count: number): readonly TestedRequest[] {
    const { judged } = this;
    if (judged === undefined) {
      return [];
    }
    const { index, results } = judged;
    if (group.kind === 'missing') {
      return [...index.missingIds()].slice(first, first + count).map(customId => ({ customId, entry: undefined }));
    }
    const found: TestedRequest[] = [];
    let position = 0;
    for (let row = 0; row < results.groupOf.length && found.length < count; row++) {
      const entry = results.groupOf[row] === group.number && position++ >= first ? index.entryOfRow(row) : undefined;
      if (entry !== undefined) {
        found.push({ customId: entry.customId, entry });
      }
    }
    return found;
  }

  /** Returns the current group and the 0-based position in it of each request. Leaves out requests without results. */
  positions(customIds: ReadonlySet<string>): ReadonlyMap<string, { readonly group: TestGroup; readonly position: number }> {
    const found = new Map<string, { readonly group: TestGroup; readonly position: number }>();
    for (const group of this.groups) {
      for (const [position, { customId }] of this.requests(group, 0, Number.POSITIVE_INFINITY).entries()) {
        if (customIds.has(customId)) {
          found.set(customId, { group, position });
        }
      }
    }
    return found;
  }

  /** Judges some rows again, and returns their failures by row. The rows belong to the results that were judged last. */
  async details(rows: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, JudgedRow>> {
    const { joined, expectationsPath } = this;
    if (joined === undefined) {
      return new Map();
    }
    const wanted = new Uint32Array(new SharedArrayBuffer(rows.length * 4));
    wanted.set([...rows].sort((a, b) => a - b));
    const { details } = await this.jobs.run('judgeResults', { ...joined, expectationsPath, rows: wanted }, { signal });
    return new Map(details.map(detail => [detail.row, detail]));
  }
}
