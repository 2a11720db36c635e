import * as z from 'zod';
import { type FromInbox, mostEqual } from '../../../shared/inbox/inboxProtocol';

const id = z.string().min(1).max(512);
const words = z.string().max(1_000_000);
const part = { thread: z.literal(''), key: id, path: z.literal('ask') };

/** Schema of the messages that the host accepts from the inbox. */
export const fromInboxSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({
    type: z.literal('confirm'),
    clientId: id,
    eventId: id,
    result: z.enum(['allow', 'deny']),
    denyMessage: words.optional(),
    shown: id,
  }),
  z.strictObject({ type: z.literal('customResult'), clientId: id, eventId: id, text: words, isError: z.boolean() }),
  z.strictObject({ type: z.literal('customResultFromFile'), clientId: id, eventId: id }),
  z.strictObject({ type: z.literal('loadPart'), ...part }),
  z.strictObject({ type: z.literal('openPart'), ...part }),
  z.strictObject({ type: z.literal('openAskedChange'), eventId: id }),
  z.strictObject({
    type: z.literal('allowEqual'),
    clientId: id,
    asks: z
      .array(z.strictObject({ id, shown: id }))
      .min(2)
      .max(mostEqual),
  }),
  z.strictObject({ type: z.literal('makeRule'), eventId: id }),
  z.strictObject({ type: z.literal('openLink'), href: z.string().max(8192) }),
  z.strictObject({ type: z.literal('copyText'), text: z.string().max(64_000_000) }),
  z.strictObject({ type: z.literal('dismissRule') }),
  z.strictObject({ type: z.literal('keepRule'), id }),
  z.strictObject({ type: z.literal('showRules') }),
  z.strictObject({ type: z.literal('reply'), clientId: id, id, text: words.min(1) }),
  z.strictObject({ type: z.literal('interrupt'), id }),
  z.strictObject({ type: z.literal('notNow'), id }),
  z.strictObject({ type: z.literal('shown'), id: id.optional() }),
  z.strictObject({ type: z.literal('openSession'), id }),
]) satisfies z.ZodType<FromInbox>;
