import type { MadeFile } from './submission';
import type { SubmissionRegistry } from './submissionRegistry';

/** Notes a request file that was written from the results of a run, so that a later submission of it follows that run. */
export async function noteMadeFile(registry: Pick<SubmissionRegistry, 'update'>, runId: string, made: MadeFile): Promise<void> {
  await registry.update(runId, { made: [made] });
}
