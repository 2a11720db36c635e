import { sha256 } from '../sha256';

/**
 * What tells one thing that is asked from any other: the tool, its server, and the whole of its arguments as JSON text. An answer carries that
 * of what was shown, or of what a rule has judged; it counts for nothing else.
 */
export function askFingerprint(tool: string, server: string | undefined, input: string): string {
  return sha256(JSON.stringify([tool, server ?? null, input]));
}
