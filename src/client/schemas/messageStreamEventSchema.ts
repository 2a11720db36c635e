import * as z from 'zod';

/**
 * One event of a streamed message: `message_start`, `content_block_start`, `content_block_delta`, `content_block_stop`, `message_delta`,
 * `message_stop`, `ping`, `error`. Any other type is preserved.
 */
export const messageStreamEventSchema = z.looseObject({ type: z.string() });
export type MessageStreamEvent = z.infer<typeof messageStreamEventSchema>;
