import { sha256 } from '../sha256';

/**
 * Returns the fingerprint of an ask: the tool, its server, and its complete arguments as JSON. An answer includes the fingerprint of what was
 * shown, or of what a rule has checked. It is valid for nothing else.
 */
export function askFingerprint(tool: string, server: string | undefined, input: string): string {
  return sha256(JSON.stringify([tool, server ?? null, input]));
}
