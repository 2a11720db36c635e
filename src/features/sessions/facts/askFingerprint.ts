import { createHash } from 'node:crypto';
import { askText } from '../../../shared/session/askText';

/** Returns the fingerprint of an ask. */
export function askFingerprint(tool: string, server: string | undefined, input: string): string {
  return createHash('sha256')
    .update(askText(tool, server, input))
    .digest('hex');
}
