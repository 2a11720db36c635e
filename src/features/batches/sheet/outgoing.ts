import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { BatchFileReport, BatchLimits, CheckTerms } from '../../../jsonl/checking/batchFileReport';
import type { SelectedRequests } from '../../../jsonl/checking/requestPlan';
import type { JobOptions, JsonlJobs } from '../../../jsonl/jobs/jobs';
import { type Follows, type Selection, submissionFiles } from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import type { Retry } from './choices';
import { discardContent, type PreparedContent } from './preparedContent';

/** Requests to send, and the content they are sent from. */
export interface Outgoing {
  readonly content: Pick<PreparedContent, 'submissionId' | 'path' | 'fromEditor'>;
  readonly report: BatchFileReport;
  readonly requestCount: number;
  /** Size of one body with all of them, in bytes. */
  readonly bodyBytes: number;
  readonly models: BatchFileReport['models'];
  /** The selected requests. `undefined` if all requests of the content are sent. */
  readonly selected: SelectedRequests | undefined;
  /** One for each batch if several are needed. Empty if a single request is over the limits, `undefined` if one batch is enough. */
  readonly parts: readonly SelectedRequests[] | undefined;
  readonly purpose: Selection['purpose'];
  readonly follows: Follows | undefined;
  /** 0-based line in the file for each line of `content`. */
  readonly fileLines?: Uint32Array;
}

export interface OutgoingSource extends Pick<Outgoing, 'content' | 'report'> {
  readonly limits: BatchLimits;
  /** The selected requests of the content, with the reason. Defaults to all. */
  readonly chosen?: { readonly purpose: Selection['purpose']; readonly lines: Uint32Array } | undefined;
  readonly follows?: Follows | undefined;
  readonly fileLines?: Uint32Array;
}

/** Selects requests of checked content, and splits them into batches if they exceed the limits. */
export function toOutgoing(
  jobs: Pick<JsonlJobs, 'selectRequests' | 'cutRequests'>,
  { content, report, limits, chosen, follows, fileLines }: OutgoingSource,
): Outgoing {
  const selected = chosen && jobs.selectRequests(report, chosen.lines);
  const { bodyBytes, models } = selected ?? report;
  const requestCount = selected?.lines.length ?? report.requestCount;
  const isOver = requestCount > limits.maxRequests || bodyBytes > limits.maxBytes;
  return {
    ...{ content, report, requestCount, bodyBytes, models, selected, follows, purpose: chosen?.purpose ?? 'part' },
    parts: isOver ? cut(jobs, report, limits, selected) : undefined,
    ...(fileLines && { fileLines }),
  };
}

function cut(
  jobs: Pick<JsonlJobs, 'cutRequests'>,
  report: BatchFileReport,
  limits: BatchLimits,
  selected: SelectedRequests | undefined,
): readonly SelectedRequests[] {
  try {
    return jobs.cutRequests(report, limits, selected?.lines);
  } catch {
    // A single request is over the limits. The check reports it at its line.
    return [];
  }
}

/** Writes the selected requests with their changes to a new submission's folder and checks them. `source` is the sheet's file URI. */
export async function prepareRetry(
  { registry, jobs }: Pick<BatchDependencies, 'registry' | 'jobs'>,
  { sources, choice }: Retry,
  source: string,
  terms: CheckTerms,
  options: JobOptions,
): Promise<Outgoing> {
  const submissionId = randomUUID();
  const outPath = path.join(await registry.prepareInUse(submissionId), submissionFiles.editorCopy);
  const content = { submissionId, path: outPath, fromEditor: true };
  try {
    const { groups } = choice;
    await jobs.run('writeRetry', { files: sources.plan.files, groups, outPath }, options);
    const report = await jobs.checkFile(outPath, terms, options);
    const follows = { runId: sources.root.id, purpose: 'retry' } as const;
    const fileLines = sources.files.every(file => file.source === source) ? writtenLines(groups) : undefined;
    return toOutgoing(jobs, { content, report, limits: terms.limits, follows, ...(fileLines && { fileLines }) });
  } catch (error) {
    discardContent(registry, content);
    throw error;
  }
}

function writtenLines(groups: Retry['choice']['groups']): Uint32Array {
  const found = groups.flatMap(({ places, lines }) => [...lines].map((line, at) => ({ line, file: places[at * 2] ?? 0 })));
  return Uint32Array.from(
    found.sort((a, b) => a.file - b.file || a.line - b.line),
    ({ line }) => line,
  );
}
