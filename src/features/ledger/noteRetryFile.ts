import type { DerivedFile } from './submission';
import type { SubmissionRegistry } from './submissionRegistry';

/** Records that a request file was made from a run's results to retry its requests, so that a submission of that file follows the run. */
export async function noteRetryFile(
  registry: Pick<SubmissionRegistry, 'update'>,
  runId: string,
  file: Pick<DerivedFile, 'source' | 'sha256'>,
): Promise<void> {
  await registry.update(runId, { made: [{ ...file, purpose: 'retry', madeAt: new Date().toISOString() }] });
}
