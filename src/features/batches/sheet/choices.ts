import path from 'node:path';
import * as vscode from 'vscode';
import { exists } from '../../../common/asking/newFile';
import { isCancellation } from '../../../common/cancellation';
import { readEstimateSettings } from '../../../common/estimateSettings';
import { describeError } from '../../../common/text/describeError';
import { normalQuantile } from '../../../jsonl/comparing/verdict/distributions';
import { wilson } from '../../../jsonl/comparing/verdict/pairedTests';
import { expectationsNameOf } from '../../../jsonl/expecting/expectationsName';
import { changeReasons } from '../../../jsonl/merging/changeReasons';
import type { ChangedRequests, ChangedSource } from '../../../jsonl/merging/findChanged';
import type { RetryGroup, RetryPlan } from '../../../jsonl/retrying/planRetry';
import type { RequestChange } from '../../../jsonl/retrying/remedyOf';
import { toLabel } from '../../../shared/text';
import {
  type Follows,
  finalResultsOf,
  generationsOf,
  hashSubmitted,
  isDerivedRetry,
  isSameService,
  mayHaveBatch,
  pathsOf,
  type Run,
  requestCountOf,
  resultsOf,
  runOf,
  runsOfSource,
  type Submission,
  submissionFiles,
  toRuns,
} from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import { updateResultsFile } from '../fetching/resultsFile';
import { type PlannedAct, proposedAct, type RetrySources, retrySourcesOf } from '../retrying/retryPresentation';
import { actualCost, type Cost } from '../runCost';
import { hasRest } from '../runRow';

type CompareDependencies = Pick<BatchDependencies, 'registry' | 'jobs'>;
type Service = Pick<Submission, 'connection' | 'origin'>;

/** 0-based lines of a file, ascending. */
export interface ChosenLines {
  /** Backed by shared memory, so that a thread can read them. */
  readonly lines: Uint32Array;
  readonly sha256: string;
  readonly counts: ChangedRequests['counts'];
}

/** A plan of requests to send again, and the user's choice among its causes. */
export interface Retry {
  readonly sources: RetrySources;
  readonly plan: RetryPlan;
  readonly choice: RetryChoice;
}

/** Selections of a file's requests that are based on the results of earlier runs. */
export interface Choices {
  /** Stamp of the earlier runs when the selections were found (see `stampOfRuns`). */
  readonly stamp: string;
  readonly follows: Follows | undefined;
  /** Requests without a good result, which can be sent after a trial. */
  readonly rest: ChosenLines | undefined;
  readonly changed: ChosenLines | undefined;
  readonly retry: Retry | undefined;
  readonly trial: TrialOutcome | undefined;
  readonly note: string | undefined;
  readonly unfetched: readonly Submission[];
}

export interface ChoicesQuery {
  /** URI string of the file. */
  readonly source: string;
  readonly path: string;
  readonly service: Service;
  /** The run whose requests are sent again. Defaults to the latest run with results. */
  readonly runId: string | undefined;
}

type Registry = Pick<BatchDependencies['registry'], 'all'>;

/** Returns a stamp of the earlier runs of a file. It changes when the choices may change. */
export function stampOfRuns(registry: Registry, { source, service }: Pick<ChoicesQuery, 'source' | 'service'>): string {
  const { submissions = [] } = earlierOf(registry.all(), source, service) ?? {};
  return submissions
    .map(({ id, state, batch, results, deleted }) => [id, state, batch?.processing_status === 'ended', results?.fetchedAt, deleted].join())
    .join('\n');
}

/** Returns whether the latest run of a file is, or follows, a trial whose remaining requests were not sent. */
export function isAfterTrial(registry: Registry, { source, service }: Pick<ChoicesQuery, 'source' | 'service'>): boolean {
  return trialOf(registry, earlierOf(registry.all(), source, service)) !== undefined;
}

function trialOf(registry: Registry, earlier: Earlier | undefined): Run | undefined {
  const runs = toRuns(registry.all());
  const root = runs.find(({ id }) => id === earlier?.follows.runId);
  return root?.lead.selection?.purpose === 'canary' && !hasRest(generationsOf(runs, root)) ? root : undefined;
}

/** Finds the choices that earlier runs offer for a checked file. Failures are reported in `note`. */
export async function findChoices(deps: BatchDependencies, query: ChoicesQuery, signal: AbortSignal): Promise<Choices> {
  const { registry } = deps;
  await registry.reload();
  const earlier = earlierOf(registry.all(), query.source, query.service);
  const found = { stamp: stampOfRuns(registry, query), follows: earlier?.follows, unfetched: [] };
  let choices: Choices = { ...found, rest: undefined, changed: undefined, retry: undefined, trial: undefined, note: undefined };
  try {
    const trial = trialOf(registry, earlier);
    const planned = await findPlan(deps, query, signal);
    if (planned !== undefined && planned.plan.groups.length > 0) {
      choices = { ...choices, retry: { ...planned, choice: new RetryChoice(planned.plan) } };
    }
    if (planned !== undefined && trial !== undefined && resultsOf(trial) !== undefined) {
      const cost = actualCost(trial, readEstimateSettings().prices);
      const unmet = await countUnmet(deps, trial, signal);
      choices = { ...choices, trial: toTrialOutcome(requestCountOf(trial), planned.plan, unmet, cost) };
    }
    return earlier === undefined
      ? choices
      : { ...choices, ...(await compare(deps, query, { earlier, isTrial: trial !== undefined }, signal)) };
  } catch (error) {
    if (isCancellation(error)) {
      throw error;
    }
    return { ...choices, note: toLabel(describeError(error), 500) };
  }
}

/** Compares a file with earlier submissions of it, once all of them have ended and their results are on this machine. */
async function compare(
  deps: BatchDependencies,
  { path }: ChoicesQuery,
  { earlier, isTrial }: { readonly earlier: Earlier; readonly isTrial: boolean },
  signal: AbortSignal,
): Promise<Partial<Choices>> {
  if (earlier.unsettled !== undefined) {
    return { note: describeUnsettled(earlier.unsettled) };
  }
  const sent: { readonly submission: Submission; readonly results: Compared['results'] }[] = [];
  for (const submission of earlier.submissions) {
    const results = sentResultsOf(deps, submission);
    sent.push({ submission, results: results && (await exists(results.joinedPath)) ? results : undefined });
  }
  const unfetched = sent.flatMap(({ submission, results }) => (results === undefined && submission.deleted !== true ? [submission] : []));
  if (unfetched.length > 0) {
    return { unfetched, note: vscode.l10n.t('Fetch the results of earlier runs first.') };
  }
  const before: Compared[] = [];
  for (const { submission, results } of sent) {
    before.push({ ...(await toCompared(deps, submission, signal)), results });
  }
  const compared = await deps.jobs.run('findChanged', { path, before }, { signal });
  const { lines, sha256, counts } = compared;
  return isTrial ? { rest: lines.length === 0 ? undefined : { lines, sha256, counts } } : { changed: toChanged(compared) };
}

type Compared = ChangedSource['before'][number];

/** Returns the requests that were never sent in their current form. Returns `undefined` if this applies to all requests or to none. */
function toChanged({ lines, why, sha256, counts }: ChangedRequests): ChosenLines | undefined {
  const failed = changeReasons.indexOf('failed');
  const changed = lines.filter((_, at) => why[at] !== failed);
  if (changed.length === 0 || changed.length === lines.length + counts.kept) {
    return undefined;
  }
  const shared = new Uint32Array(new SharedArrayBuffer(changed.length * Uint32Array.BYTES_PER_ELEMENT));
  shared.set(changed);
  return { lines: shared, sha256, counts };
}

/** Plans which requests of a run (by default the latest with results) and its family to send again. `undefined` without results. */
async function findPlan(deps: BatchDependencies, { source, service, runId }: ChoicesQuery, signal: AbortSignal) {
  const { registry, jobs } = deps;
  const runs = toRuns(registry.all());
  const run =
    runs.find(({ id }) => id === runId) ??
    runsOfSource(runs, source).find(one => isSameService(one.lead, service) && finalResultsOf(runs, one) !== undefined);
  await (run && updateResultsFile(deps, run, { signal, writesFile: false }));
  const sources = run && retrySourcesOf(toRuns(registry.all()), run, registry);
  if (sources === undefined) {
    return undefined;
  }
  const mostTokens = (deps.rules.models() ?? []).flatMap(({ id, max_tokens }) =>
    typeof max_tokens === 'number' ? [[id, max_tokens] as const] : [],
  );
  return { sources, plan: await jobs.run('planRetry', { ...sources.plan, mostTokens, now: Date.now() }, { signal }) };
}

function describeUnsettled({ batchId }: Submission): string {
  const { t } = vscode.l10n;
  return batchId === undefined
    ? t('An earlier run may have created a batch. Check it in the Batches view first.')
    : t("Batch {0} hasn't ended. Its requests would be charged again.", toLabel(batchId, 80));
}

/** Returns the requests of an earlier submission. Throws an error for the user if the requests are unknown. */
async function toCompared({ registry, jobs }: CompareDependencies, submission: Submission, signal: AbortSignal): Promise<Compared> {
  const linesPath = path.join(registry.folder(submission.id), submissionFiles.lines);
  if (!(await exists(linesPath))) {
    throw new Error(
      vscode.l10n.t("Can't find changes since batch {0}: the record of its requests is missing.", toLabel(submission.batchId ?? '', 80)),
    );
  }
  const isRetry = isDerivedRetry({ follows: submission.follows, lead: submission }, registry.all());
  return { linesPath, isRetry, hashesPath: await hashSubmitted({ registry, jobs }, submission, signal) };
}

/** Returns the joined results of a submission or of its group. */
function sentResultsOf({ registry }: CompareDependencies, submission: Submission): Compared['results'] {
  const current = registry.find(submission.id) ?? submission;
  const indexOf = (id: string, name: string) => path.join(registry.folder(id), name);
  if (current.results !== undefined) {
    return { joinedPath: current.results.joinedPath, indexPath: indexOf(current.id, submissionFiles.resultsIndex) };
  }
  const lead = current.group && runOf(registry.all(), current)?.lead;
  return lead?.groupResults && { joinedPath: lead.groupResults.joinedPath, indexPath: indexOf(lead.id, submissionFiles.groupIndex) };
}

/** The user's selection among the groups of a plan, with the changes in their requests. */
export class RetryChoice {
  private readonly acts = new Map<string, PlannedAct>();
  private readonly chosen: Set<string>;

  constructor(private readonly plan: RetryPlan) {
    this.chosen = new Set(plan.groups.filter(group => group.isSensible && group.lines.length > 0).map(({ key }) => key));
  }

  actOf(group: RetryGroup): PlannedAct {
    return this.acts.get(group.key) ?? proposedAct(group);
  }

  has({ key }: RetryGroup): boolean {
    return this.chosen.has(key);
  }

  find(key: string): RetryGroup | undefined {
    return this.plan.groups.find(group => group.key === key && group.lines.length > 0);
  }

  choose(group: RetryGroup, isChosen: boolean): void {
    if (isChosen) {
      this.chosen.add(group.key);
    } else {
      this.chosen.delete(group.key);
    }
  }

  change(group: RetryGroup, act: PlannedAct): void {
    this.acts.set(group.key, act);
    this.chosen.add(group.key);
  }

  /** The selected groups, with the changes to write. */
  get groups(): readonly { readonly change: RequestChange | undefined; readonly places: Uint32Array; readonly lines: Uint32Array }[] {
    return this.plan.groups
      .filter(group => this.has(group))
      .map(group => ({ change: this.actOf(group).change, places: group.places, lines: group.lines }));
  }

  get count(): number {
    return this.groups.reduce((sum, { lines }) => sum + lines.length, 0);
  }
}

/** Earlier runs of a file on one service. */
export interface Earlier {
  /** Submissions of the runs, oldest first, including submissions of files derived from their results. */
  readonly submissions: readonly Submission[];
  /** Run that a new run follows. It is the oldest run in the family of the newest run. */
  readonly follows: Follows;
  /** A submission with an unknown outcome or a running batch, whose requests may still be answered. */
  readonly unsettled: Submission | undefined;
}

/** Returns the earlier runs of a file, or `undefined` if there are none. `source` is a URI string. */
export function earlierOf(all: readonly Submission[], source: string, service: Service): Earlier | undefined {
  const runs = toRuns(all).filter(({ lead }) => isSameService(lead, service));
  const ofFile = runs.filter(run => run.source === source && run.submissions.some(mayHaveBatch));
  const [newest] = ofFile;
  const root = newest && generationsOf(runs, newest)[0];
  if (root === undefined) {
    return undefined;
  }
  const family = new Map<string, Run>(ofFile.flatMap(run => generationsOf(runs, run)).map(run => [run.id, run]));
  const submissions = [...family.values()]
    .flatMap(run => run.submissions)
    .filter(mayHaveBatch)
    .sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  const unsettled = submissions.find(
    ({ state, batch, results, deleted }) =>
      state !== 'created' || (results === undefined && deleted !== true && batch?.processing_status !== 'ended'),
  );
  return { submissions, follows: { runId: root.id, purpose: 'changed' }, unsettled };
}

interface TrialOutcome {
  readonly sampled: number;
  /** Number of requests with a good result that meets the file's expectations. */
  readonly succeeded: number;
  /** Number of requests whose result is good but not as expected. */
  readonly unmet: number;
  /** Bounds of the share of the remaining requests that will succeed, from 0 to 1, with 95 % confidence. */
  readonly low: number;
  readonly high: number;
  readonly cost: Cost | undefined;
}

/** Returns the default number of requests of a trial: 1 %, at least 10 and at most 50, but never all. */
export function usualTrialSize(requests: number): number {
  return Math.min(requests - 1, 50, Math.max(10, Math.ceil(requests / 100)));
}

/** Returns the outcome of a trial from its results. */
export function toTrialOutcome(sampled: number, { kept }: Pick<RetryPlan, 'kept'>, unmet: number, cost: Cost | undefined): TrialOutcome {
  const succeeded = Math.max(0, kept - unmet);
  const [low, high] = wilson(succeeded, sampled, normalQuantile(0.975));
  return { sampled, succeeded, unmet, low: Math.max(0, low), high: Math.min(1, high), cost };
}

async function countUnmet({ jobs, registry }: CompareDependencies, run: Run, signal: AbortSignal): Promise<number> {
  const results = resultsOf(run);
  const uri = vscode.Uri.parse(run.source);
  const expectationsPath = path.join(path.dirname(uri.fsPath), expectationsNameOf(path.basename(uri.fsPath)));
  if (results === undefined || uri.scheme !== 'file' || !(await exists(expectationsPath))) {
    return 0;
  }
  const { groups } = await jobs.run('judgeResults', { ...pathsOf(registry, results), expectationsPath }, { signal });
  return groups.reduce((sum, { kind, count }) => (kind === 'unmet' ? sum + count : sum), 0);
}
