import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import { isCancellation } from '../../../common/cancellation';
import type { Clock } from '../../../common/clock';
import { runCommand } from '../../../common/commands';
import { readSetting } from '../../../common/settings';
import { describeError } from '../../../common/text/describeError';
import { join, toLabel } from '../../../shared/text';
import {
  type FetchTries,
  finalResultsOf,
  type Run,
  resultsOf,
  runOf,
  SendingHolds,
  type Submission,
  type SubmissionRegistry,
  toRuns,
} from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import { type BatchContext, hasResults } from '../batchPresentation';
import { describeMoved, ResultsFetchError } from '../fetching/fetchMessages';
import { describeEnd } from '../runPresentation';
import { countsOf, endMarkerOf, hasRunEnded, lacksGoodResults } from '../runRow';

interface EndFetchesDependencies {
  readonly registry: Pick<SubmissionRegistry, 'all' | 'find' | 'updateIf' | 'folder'>;
  readonly clock: Clock;
  readonly isOn: () => boolean;
  /** Returns whether this window is closing. The next window then reports the end. */
  readonly isClosing: () => boolean;
  /** Settles when a notification doesn't disturb the user. */
  readonly whenFree: () => Promise<void>;
  readonly fetch: (run: Run) => Promise<FetchedEnd>;
  /** Notifies the user of the end of a run and of its results. Not awaited, because it waits for the user. */
  readonly notify: (run: Run, fetched: FetchedEnd | undefined) => void;
}

const minute = 60_000;
/** Time after which another window takes over an end, in milliseconds. The window that detected the end may have closed. */
const untilTakenUp = 5_000;
/** Delays before the next attempt in milliseconds, indexed by the number of earlier attempts. */
const pauses = [untilTakenUp, minute, 10 * minute, 60 * minute];
/** Time to leave a run alone while another window fetches it, in milliseconds. */
const busyFor = minute / 3;

/**
 * Reports the ends of runs and fetches their results, if the user wants them. The window that detected an end is responsible. If it closed,
 * the window with the lease is responsible. Retries a failed fetch a few times. Across all windows, one attempt runs at a time and each end
 * is reported once.
 */
export class EndFetches {
  private readonly holds: SendingHolds;
  private readonly running = new Set<string>();
  /** Monotonic times until which runs are left alone because another window fetches them, keyed by run ID. */
  private readonly held = new Map<string, number>();

  constructor(private readonly deps: EndFetchesDependencies) {
    this.holds = new SendingHolds({ clock: deps.clock, outlastsSilence: false });
  }

  /** Returns the fields to save with the end of a batch that is not reported yet. */
  begin(): Pick<Submission, 'fetching'> {
    return { fetching: { tries: 0, at: this.now() } };
  }

  /** Returns the delay until the run of a submission is reported or fetched again, in milliseconds. `undefined` if neither is due. */
  waitOf(submission: Submission): number | undefined {
    const { fetching, id } = submission;
    const due = fetching && pauses[fetching.tries];
    const isReported = fetching?.told === true;
    const pause = due === undefined || isReported ? due : untilTakenUp;
    if (fetching === undefined || pause === undefined || (isReported && !this.deps.isOn())) {
      return undefined;
    }
    const all = this.deps.registry.all();
    // Memoizes the runs, because this is called for many submissions.
    toRuns(all);
    const run = runOf(all, submission);
    if (run === undefined || endMarkerOf(run) !== id || !(isReported ? isMissing(all, run) : hasRunEnded(run))) {
      return undefined;
    }
    const { clock } = this.deps;
    const remaining = Date.parse(fetching.at) + pause - clock.now();
    const busyTime = this.running.has(run.id) ? busyFor : (this.held.get(run.id) ?? 0) - clock.monotonic();
    return Math.max(Number.isNaN(remaining) ? pause : Math.min(Math.max(remaining, 0), pause), busyTime);
  }

  /**
   * Reports the end of a submission's run, after fetching the results if the user wants them. Resolves to the error of the fetch, if any.
   * Does nothing if nothing is due, or another window is fetching.
   */
  async attempt(submission: Submission): Promise<unknown> {
    const { registry, clock, isOn, notify } = this.deps;
    const run = runOf(registry.all(), submission);
    const last = run && registry.find(endMarkerOf(run))?.fetching;
    if (run === undefined || last === undefined || this.running.has(run.id)) {
      return undefined;
    }
    this.running.add(run.id);
    try {
      if (!isOn() || !isMissing(registry.all(), run)) {
        await this.report(run, last, resultsOf(run) === undefined ? undefined : { isFetched: true });
        return undefined;
      }
      const folder = path.join(registry.folder(endMarkerOf(run)), 'fetching');
      if (await this.holds.isHeld(folder)) {
        this.held.set(run.id, clock.monotonic() + busyFor);
        return undefined;
      }
      const claim = { ...last, tries: last.tries + 1, at: this.now() };
      const fetched = await this.fetchAlone(run, folder, claim);
      if (fetched === undefined) {
        return undefined;
      }
      await this.report(run, claim, fetched);
      return fetched.error;
    } catch (error) {
      if (last.told !== true) {
        notify(run, { isFetched: false, problem: describeError(error), error });
      }
      return error;
    } finally {
      this.running.delete(run.id);
    }
  }

  /** Claims an attempt, holds it for all windows and runs it. Resolves to `undefined` if another window was faster. */
  private async fetchAlone(run: Run, folder: string, claim: FetchTries): Promise<FetchedEnd | undefined> {
    const { registry, fetch } = this.deps;
    if ((await registry.updateIf(endMarkerOf(run), { fetching: claim }, isAt(claim.tries - 1))) === undefined) {
      return undefined;
    }
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const hold = await this.holds.take(folder);
    try {
      return await fetch(run);
    } finally {
      await hold.release();
    }
  }

  /** Reports the end once and saves the time of the next attempt. Does nothing if another window was faster. */
  private async report(run: Run, { told, ...claim }: FetchTries, fetched: FetchedEnd | undefined): Promise<void> {
    const { registry, isClosing, whenFree, notify } = this.deps;
    if (told !== true) {
      await whenFree();
      if (isClosing()) {
        return;
      }
    }
    const fetching = fetched?.isFetched === false && !fetched.isFinal ? { ...claim, told: true } : undefined;
    if ((await registry.updateIf(endMarkerOf(run), { fetching }, isAt(claim.tries))) !== undefined && told !== true) {
      notify(run, fetched);
    }
  }

  private now(): string {
    return new Date(this.deps.clock.now()).toISOString();
  }
}

function isAt(tries: number): (stored: Submission) => boolean {
  return ({ fetching }) => fetching?.tries === tries;
}

/** Returns whether a run has ended and some of its results, or its results file, are missing on this machine. */
function isMissing(all: readonly Submission[], run: Run): boolean {
  const wanted = run.submissions.filter(hasRemoteResults);
  const best = finalResultsOf(toRuns(all), run);
  const isFetched = best !== undefined && best.filePath !== best.joinedPath && wanted.every(({ results }) => results !== undefined);
  return hasRunEnded(run) && wanted.length > 0 && !isFetched;
}

/** Returns whether the service has results of a submission's batch. */
function hasRemoteResults({ state, batch, deleted }: Submission): boolean {
  return state === 'created' && batch !== undefined && !deleted && hasResults(batch);
}

export interface FetchedEnd {
  readonly isFetched: boolean;
  /** New path of an earlier run's results file. */
  readonly movedTo?: string | undefined;
  /** Reason why the results were not fetched. */
  readonly problem?: string | undefined;
  readonly error?: unknown;
  /** True if a retry is useless. */
  readonly isFinal?: boolean;
}

/** Maximum size of one batch's results for an automatic fetch, in bytes. */
const maxBytes = 256 << 20;

/** Fetches the results of an ended run without a dialog, and without replacing other files. Never rejects. */
export async function fetchEnded(
  deps: Pick<BatchDependencies, 'log' | 'connections' | 'jobs' | 'registry'>,
  run: Run,
  signal: AbortSignal,
): Promise<FetchedEnd> {
  if (!run.submissions.some(hasRemoteResults)) {
    return { isFetched: false, problem: undefined };
  }
  try {
    const title = vscode.l10n.t('Fetching results');
    const fetched = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, async () => {
      const { fetchRun } = await import('../fetching/fetchRun');
      return await fetchRun(deps, run, { signal, use: 'look', maxBytes });
    });
    signal.throwIfAborted();
    const problem = fetched.failed[0]?.error ?? fetched.fileError;
    if (problem !== undefined) {
      throw problem;
    }
    return { isFetched: true, movedTo: fetched.best?.movedTo };
  } catch (error) {
    if (!isCancellation(error)) {
      deps.log.warn(`The results of ${run.source} could not be fetched automatically: ${describeError(error)}`);
    }
    const isFinal = error instanceof ResultsFetchError && error.kind === 'large';
    return { isFetched: false, problem: describeError(error), error, isFinal };
  }
}

/** Notifies the user of a run's end with a button to its results, unless the setting is off. Returns whether the button was pressed. */
export async function notifyEnded(run: Run, fetched: FetchedEnd | undefined, context: BatchContext): Promise<boolean> {
  const problem = fetched?.problem;
  const hasFailures = lacksGoodResults(run);
  const wanted = readSetting('managedAgents.batches.notify');
  if (wanted === 'never' || (wanted === 'problems' && !hasFailures && problem === undefined)) {
    return false;
  }
  const show = hasFailures && countsOf(run).succeeded === 0 ? showWarning : showInformation;
  const { t } = vscode.l10n;
  const end = describeEnd(run, context);
  const moved = describeMoved(fetched?.movedTo, context);
  const message = problem === undefined ? join(' ', end, moved) : t("{0} Couldn't fetch its results: {1}", end, toLabel(problem, 300));
  const button = fetched?.isFetched ? t('Show Results') : t('Fetch Results');
  const isChosen = (await show(message, button)) !== undefined;
  if (isChosen && fetched?.isFetched) {
    await runCommand('managedAgents.results.show', { runId: run.id, withRetries: true });
  } else if (isChosen) {
    await runCommand('managedAgents.batch.fetchResults', { runId: run.id });
  }
  return isChosen;
}
