import * as z from 'zod';
import { type FromComposer, mostAttached } from '../../../shared/session/composing';

const id = z.string().min(1).max(512);
const attachedAs = z.enum(['text', 'upload']);

/** Files to send with a message. */
export const sentFilesSchema = z.array(z.strictObject({ id, as: attachedAs })).max(mostAttached);

/** Messages that a composer may send. */
export const composerSchemas = [
  z.strictObject({ type: z.literal('composing') }),
  z.strictObject({ type: z.literal('findFiles'), query: z.string().max(200) }),
  z.strictObject({ type: z.literal('attachFile'), id, as: attachedAs.optional() }),
  z.strictObject({ type: z.literal('detachFile'), id }),
  z.strictObject({ type: z.literal('listPrompts') }),
  z.strictObject({ type: z.literal('readPrompt'), name: z.string().min(1).max(255) }),
] as const satisfies readonly z.ZodType<FromComposer>[];
