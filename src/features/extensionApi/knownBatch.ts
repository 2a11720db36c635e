import type { KnownBatch } from '../../api';
import type { Submission } from '../ledger';

const states = ['in_progress', 'canceling', 'ended'] as const;

/** Returns the part of a submission that other extensions may see: IDs, state and counts. `undefined` while its batch is unknown. */
export function toKnownBatch({ connection, batchId, batch, deleted, requestCount }: Submission): KnownBatch | undefined {
  if (batchId === undefined || deleted === true) {
    return undefined;
  }
  const { processing, succeeded, errored, canceled, expired } = batch?.request_counts ?? {
    ...{ processing: requestCount, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
  };
  return Object.freeze({
    connection,
    batchId,
    state: states.find(state => state === (batch?.processing_status ?? 'in_progress')) ?? 'unknown',
    counts: Object.freeze({ processing, succeeded, errored, canceled, expired }),
  });
}
