import { sha256 } from '../sha256';

/**
 * Returns the fingerprint of an ask: the tool, its server, and its complete arguments as JSON. An answer includes the fingerprint of the
 * ask that was shown, or that a rule has checked, and is invalid for any other.
 */
export function askFingerprint(tool: string, server: string | undefined, input: string): string {
  return sha256(JSON.stringify([tool, server ?? null, input]));
}
