import * as z from 'zod';
import { optionalTexts } from './commonFields';
import { requestCountsSchema } from '../../contract/requestCounts';

/**
 * Message batch as the service returns it. Only `id` is required; unknown fields are preserved. `processing_status` is any string: the
 * contract names `in_progress`, `canceling` and `ended`. A missing one becomes `unknown`.
 */
export const messageBatchSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('message_batch'),
  processing_status: z.string().default('unknown'),
  request_counts: requestCountsSchema.default({ processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 }),
  ...optionalTexts('created_at', 'expires_at', 'ended_at', 'cancel_initiated_at', 'archived_at', 'results_url'),
});
export type MessageBatch = z.infer<typeof messageBatchSchema>;
