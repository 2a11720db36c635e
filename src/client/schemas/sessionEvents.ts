import * as z from 'zod';

/**
 * One event of a session as it travels: `type` alone is demanded, everything else is kept as the service sent it. A looser
 * dialect sends no `id`. `sessionEventSchemas` has what is known per type.
 */
export const sessionEventSchema = z.looseObject({
  type: z.string(),
  id: z.string().nullish(),
  /** Null while the service has not taken it up; the same id comes again when it has. Whole seconds on some servers. */
  processed_at: z.string().nullish(),
  created_at: z.string().nullish(),
  session_thread_id: z.string().nullish(),
});
export type SessionEvent = z.infer<typeof sessionEventSchema>;

/** The answer to sent events: they as stored, with their ids. */
export const sentEventsSchema = z.looseObject({ data: z.array(sessionEventSchema).nullish() });
