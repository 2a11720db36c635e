import * as z from 'zod';
import { message } from '../message';
import { longestMessage } from '../session/composing';
import { askMessages } from '../session/fromSessionSchema';
import { maxEqual } from './inboxProtocol';

const id = z.string().min(1).max(512);
const words = z.string().max(longestMessage);
const part = { thread: z.literal(''), key: id, path: z.literal('ask') };

/** Inbox to host. Contains ids of the inbox and the user's text. */
export const fromInboxSchema = z.discriminatedUnion('type', [
  message('ready'),
  ...askMessages,
  /** `shown` is the fingerprint of the card. */
  message('confirm', { clientId: id, eventId: id, result: z.enum(['allow', 'deny']), denyMessage: words.optional(), shown: id }),
  message('loadPart', part),
  message('openPart', part),
  /** Allows asks with equal arguments: the ask on the card and the asks named next to the button. */
  message('allowEqual', {
    clientId: id,
    asks: z
      .array(z.strictObject({ id, shown: id }))
      .min(2)
      .max(maxEqual)
      .readonly(),
  }),
  message('dismissRule'),
  message('keepRule', { id }),
  message('showRules'),
  message('reply', { clientId: id, id, text: words.min(1) }),
  message('interrupt', { id }),
  /** Moves an ask to the end of the list without an answer, or removes a question. */
  message('notNow', { id }),
  message('shown', { id: id.optional() }),
  message('openSession', { id }),
]);
export type FromInbox = z.infer<typeof fromInboxSchema>;
