import { finalResultsOf, type Run, type Submission, toRuns } from '../ledger';

/** Runs among which a user chooses, each newest first. */
export interface RunsToChoose {
  /** Of the file that is shown, or whose results are. */
  readonly ofShown: readonly Run[];
  readonly others: readonly Run[];
}

/** The runs that fit. `shown` is the file in front, as URI and, on the disk of this machine, as path. */
export function runsToChoose(
  submissions: readonly Submission[],
  fits: (run: Run) => boolean,
  shown: { readonly uri: string; readonly path: string | undefined } | undefined,
): RunsToChoose {
  const runs = toRuns(submissions);
  const fitting = runs.filter(fits);
  const isShown = (run: Run) =>
    shown !== undefined && (run.source === shown.uri || (shown.path !== undefined && finalResultsOf(runs, run)?.filePath === shown.path));
  return { ofShown: fitting.filter(isShown), others: fitting.filter(run => !isShown(run)) };
}
