import * as z from 'zod';
import { customIdPattern } from './customId';
import { messageParamsSchema } from './messageParams';

/** ID of a request in its batch (contract: 1 to 64 characters of `a-z A-Z 0-9 _ -`). */
const customIdSchema = z.string().regex(customIdPattern);

/** One request of a batch (contract, individual request: no additional properties). */
export const batchRequestSchema = z.strictObject({ custom_id: customIdSchema, params: messageParamsSchema });
