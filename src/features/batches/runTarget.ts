import { NothingToDoError } from '../../common/asking/nothingToDo';
import type { Translate } from '../../common/text/translate';
import type { BatchReference, RunReference } from '../../contributions';
import { type Run, runOf, runOfForeign, type SubmissionRegistry, toRuns } from '../ledger';

type Registry = Pick<SubmissionRegistry, 'all' | 'reload' | 'findByBatch'>;

/** Returns the run of a reference. A batch made elsewhere is a run of one part without a source. Throws a `NothingToDoError`. */
export async function findRun(registry: Registry, target: BatchReference | RunReference, t: Translate): Promise<Run> {
  await registry.reload();
  const all = registry.all();
  const runId = runIdOf(target);
  if (!('batchId' in target) || runId !== undefined) {
    const run = toRuns(all).find(({ id }) => id === runId);
    if (run === undefined) {
      throw new NothingToDoError(t('This run is no longer on this machine.'));
    }
    return run;
  }
  const submission = registry.findByBatch(target.connection, target.batchId);
  return (submission && runOf(all, submission)) ?? runOfForeign(target.connection, target.batchId);
}

/** Returns the run of a reference, or the one part that a batch is. */
export async function findPart(registry: Registry, target: BatchReference | RunReference, t: Translate): Promise<Run> {
  const run = await findRun(registry, target, t);
  const isPart = 'batchId' in target && runIdOf(target) === undefined && run.parts > 1;
  const part = isPart ? run.submissions.find(({ batchId }) => batchId === target.batchId) : undefined;
  return part === undefined ? run : { ...run, id: part.id, lead: part, submissions: [part], parts: 1 };
}

/** A batch that stands for its whole run also has the run's ID. */
function runIdOf(target: BatchReference | RunReference): string | undefined {
  return 'runId' in target ? target.runId : undefined;
}
