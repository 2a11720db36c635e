import type { BatchReference, RunReference } from '../../contributions';

/** A batch, or with `runId` the group of batches of that run. */
export type BatchOrGroup = BatchReference & Partial<RunReference>;
