import type { BatchReference } from '../../../contributions';
import { runOf, type SubmissionRegistry } from '../../ledger';

/** The id of the group of which a batch is a part: their results belong together. */
export function groupOf(registry: SubmissionRegistry, { connection, batchId }: BatchReference): string | undefined {
  const ours = registry.findByBatch(connection, batchId);
  const run = ours && runOf(registry.all(), ours);
  return run !== undefined && run.parts > 1 ? run.id : undefined;
}
