import * as z from 'zod';
import { message } from '../message';
import { longestMessage } from './composing';
import { composerMessages } from './fromSessionSchema';

/** Parts of a new session that the user can choose. `more` lists the parts without a chip, and `another` allows a second session. */
const startPart = z.enum([
  ...(['agent', 'version', 'overrides', 'environment', 'title', 'files', 'folder'] as const),
  ...(['repositories', 'memoryStores', 'vaults', 'budget', 'more', 'another'] as const),
]);
export type StartPart = z.infer<typeof startPart>;

const text = z.string().max(longestMessage);

export const fromStartSchema = z.discriminatedUnion('type', [
  message('ready'),
  ...composerMessages,
  message('choose', { part: startPart }),
  message('start', { text }),
  /** Opens a session that appeared after an unknown outcome. `text` becomes the draft of its message. */
  message('openStarted', { id: z.string().min(1).max(512), text }),
]);
export type FromStart = z.infer<typeof fromStartSchema>;
