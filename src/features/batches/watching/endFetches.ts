import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../../common/clock';
import { describeError } from '../../../common/text/describeError';
import {
  type FetchTries,
  finalResultsOf,
  type Run,
  resultsOf,
  runOf,
  SendingHolds,
  type Submission,
  SubmissionMovedOnError,
  type SubmissionRegistry,
  toRuns,
} from '../../ledger';
import { hasResults as hasBatchResults } from '../batchPresentation';
import type { FetchedEnd } from './fetchEnded';
import { endMarkerOf, hasRunEnded } from './runSummary';

export interface EndFetchesDependencies {
  readonly registry: Pick<SubmissionRegistry, 'all' | 'find' | 'update' | 'folder'>;
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
/** Delay until another window reports an end and fetches the results, in milliseconds: the window that detected the end may have closed. */
const untilTakenUp = 5_000;
/** Delays before the next attempt by number of attempts, in milliseconds. */
const pauses = [untilTakenUp, minute, 10 * minute, 60 * minute];
/** Time to leave a run alone while another window fetches it, in milliseconds. */
const busyFor = minute / 3;

/**
 * Reports the ends of runs and fetches their results, if the user wants that. The window that detected the end does so, or if it closed,
 * the one with the lease. Retries a failed fetch a few times. Across all windows, one attempt runs at a time and each end is reported once.
 */
export class EndFetches {
  private readonly holds: SendingHolds;
  private readonly running = new Set<string>();
  /** Runs that another window is fetching, with the time until which they are left alone. */
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
    // Lists the runs once, because this is called for many submissions.
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
   * Reports the end of a submission's run, after fetching its results if the user wants that. Resolves to the error of the fetch, if any.
   * Does nothing if the end is settled, or another window is at it.
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
      await this.report(run, claim, fetched);
      return fetched.isFetched ? undefined : fetched.error;
    } catch (error) {
      if (error instanceof SubmissionMovedOnError) {
        return undefined;
      }
      if (last.told !== true) {
        notify(run, { isFetched: false, problem: describeError(error), error });
      }
      return error;
    } finally {
      this.running.delete(run.id);
    }
  }

  /** Claims an attempt, holds it for all windows and runs it. Throws `SubmissionMovedOnError` if another window was faster. */
  private async fetchAlone(run: Run, folder: string, claim: FetchTries): Promise<FetchedEnd> {
    const { registry, fetch } = this.deps;
    await registry.update(endMarkerOf(run), { fetching: claim }, { onlyIf: isAt(claim.tries - 1) });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const hold = await this.holds.take(folder);
    try {
      return await fetch(run);
    } finally {
      await hold.release();
    }
  }

  /** Reports the end once and saves the time of the next attempt. Throws `SubmissionMovedOnError` if another window was faster. */
  private async report(run: Run, { told, ...claim }: FetchTries, fetched: FetchedEnd | undefined): Promise<void> {
    const { registry, isClosing, whenFree, notify } = this.deps;
    if (told !== true) {
      await whenFree();
      if (isClosing()) {
        return;
      }
    }
    const fetching = fetched?.isFetched === false && !fetched.isFinal ? { ...claim, told: true } : undefined;
    await registry.update(endMarkerOf(run), { fetching }, { onlyIf: isAt(claim.tries) });
    if (told !== true) {
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
  const wanted = run.submissions.filter(hasResults);
  const best = finalResultsOf(toRuns(all), run);
  const isFetched = best !== undefined && best.filePath !== best.joinedPath && wanted.every(({ results }) => results !== undefined);
  return hasRunEnded(run) && wanted.length > 0 && !isFetched;
}

/** Returns whether the service has results of a submission's batch. */
export function hasResults({ state, batch, deleted }: Submission): boolean {
  return state === 'created' && batch !== undefined && !deleted && hasBatchResults(batch);
}
