import * as z from 'zod';
import { type FromStart, startParts } from '../../../shared/session/startProtocol';
import { composerSchemas } from '../composing/composerSchemas';

const text = z.string().max(1_000_000);

/** Messages that the panel of a new session may send. */
export const fromStartSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('choose'), part: z.enum(startParts) }),
  z.strictObject({ type: z.literal('start'), text }),
  z.strictObject({ type: z.literal('openStarted'), id: z.string().min(1).max(512), text }),
  ...composerSchemas,
]) satisfies z.ZodType<FromStart>;
