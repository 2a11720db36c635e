import { generationsOf, type Run, type Submission, toRuns } from '../../ledger';

/** Returns whether a file has the joined results of a submission of this machine. */
export function isJoinedResults(submissions: readonly Submission[], file: string): boolean {
  return submissions.some(
    ({ results, groupResults, merged, resultsFile }) =>
      resultsFile?.path === file || [results, groupResults, merged].some(joined => joined?.joinedPath === file),
  );
}

/** Returns the request files whose answers a joined file has, as URI strings. The file of its line numbers comes first. */
export function sourcesOfJoined(submissions: readonly Submission[], file: string): readonly string[] {
  const runs = toRuns(submissions);
  const isOf = ({ lead, submissions: parts }: Run) => isJoinedResults([lead, ...parts], file);
  const run = runs.find(isOf);
  if (run === undefined) {
    return [];
  }
  const { merged, resultsFile } = run.lead;
  const family = merged !== undefined && (merged.joinedPath === file || resultsFile?.path === file) ? generationsOf(runs, run) : [run];
  return [...new Set(family.map(({ source }) => source))];
}
