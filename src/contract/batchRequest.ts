import * as z from 'zod';
import { customIdPattern } from './customId';
import { messageParamsSchema } from './messageParams';

/** One request of a batch (contract, individual request: no additional properties). */
export const batchRequestSchema = z.strictObject({ custom_id: z.string().regex(customIdPattern), params: messageParamsSchema });
