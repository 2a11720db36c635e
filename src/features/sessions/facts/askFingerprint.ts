import { createHash } from 'node:crypto';
import { askText } from '../../../shared/session/askText';

/** Returns the SHA-256 hash of an ask's tool, server and arguments. */
export function askFingerprint(tool: string, server: string | undefined, input: string): string {
  return createHash('sha256')
    .update(askText(tool, server, input))
    .digest('hex');
}
