import type { MadeFile, Submission } from './submission';
import type { SubmissionRegistry } from './submissionRegistry';

/** Notes at a run that a request file was made from its results, so that a submission of that file follows it. */
export async function noteMade(registry: Pick<SubmissionRegistry, 'update'>, runId: string, file: MadeFile): Promise<Submission> {
  return await registry.update(runId, { made: [file] });
}
