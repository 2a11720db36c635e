import { type Follows, generationsOf, isSameService, mayHaveBatch, type Run, type Submission, toRuns } from '../../ledger';

/** Earlier runs of a file on one service. */
export interface Earlier {
  /** Its batches, oldest first, also those of files that were made from its results. */
  readonly submissions: readonly Submission[];
  /** The run to follow: the oldest one in the family of the newest. */
  readonly follows: Follows;
  /** A submission whose end is not known, or a batch that still works: requests of them may be answered yet. */
  readonly unsettled: Submission | undefined;
}

/** Returns the earlier runs of a file, or `undefined` if there are none. `source` is a URI string. */
export function earlierOf(
  all: readonly Submission[],
  source: string,
  service: Pick<Submission, 'connection' | 'origin'>,
): Earlier | undefined {
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
  return { submissions, follows: { runId: root.id, purpose: 'changed' }, unsettled: submissions.find(isUnsettled) };
}

function isUnsettled({ state, batch, results, deleted }: Submission): boolean {
  return state !== 'created' || (results === undefined && deleted !== true && batch?.processing_status !== 'ended');
}
