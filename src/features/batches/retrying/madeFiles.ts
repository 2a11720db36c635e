import type { FollowPurpose, MadeFile, Submission } from '../ledger/submission';
import type { SubmissionRegistry } from '../ledger/submissionRegistry';

/** Files that are remembered of one run. */
const mostMade = 50;

/** Notes at a run that a request file was made from its results, so that a submission of that file follows it. */
export async function noteMade(
  registry: Pick<SubmissionRegistry, 'update' | 'find'>,
  runId: string,
  file: { readonly source: string; readonly sha256: string; readonly purpose: FollowPurpose; readonly madeAt: string },
): Promise<Submission> {
  const made: readonly MadeFile[] = [...(registry.find(runId)?.made ?? []), file];
  return await registry.update(runId, { made: made.slice(-mostMade) });
}
