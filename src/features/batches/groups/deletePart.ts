import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import type { Translate } from '../../../common/text/translate';
import type { SubmissionRegistry } from '../../ledger';

/**
 * Deletes the batch of a part, and writes that down. One that is not found is not written down as deleted: a key of another workspace is
 * told the same of a batch that is there and has results. Throws a sentence for it.
 */
export async function deletePart(
  batches: Pick<ServiceClient['batches'], 'delete'>,
  registry: Pick<SubmissionRegistry, 'update'>,
  { id, batchId }: { readonly id: string; readonly batchId: string },
  t: Translate,
): Promise<void> {
  try {
    await batches.delete(batchId);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not_found') {
      throw new Error(t('it was not found: it is deleted already, or this key does not see it'), { cause: error });
    }
    throw error;
  }
  await registry.update(id, { deleted: true });
}
