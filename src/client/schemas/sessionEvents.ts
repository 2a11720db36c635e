import * as z from 'zod';
import { optionalTexts } from './commonFields';

/**
 * One event of a session as sent by the service. Only `type` is required; everything else is preserved. Some services send no `id`. For the
 * known fields per type, see `sessionEventSchemas`.
 */
export const sessionEventSchema = z.looseObject({
  type: z.string(),
  ...optionalTexts('id', 'created_at', 'session_thread_id'),
  /** Null until the service has processed the event; then it is sent again with the same id. Some servers round to seconds. */
  processed_at: z.string().nullish(),
});
export type SessionEvent = z.infer<typeof sessionEventSchema>;

/** Response to sent events: the stored events with their ids. */
export const sentEventsSchema = z.looseObject({ data: z.array(sessionEventSchema).nullish() });
