/**
 * Returns an ask as one text: the tool, its server, and its complete arguments as JSON. Its SHA-256 is the fingerprint of the ask. An answer
 * includes that of the ask that was shown, or that a rule has checked, and is invalid for any other.
 */
export function askText(tool: string, server: string | undefined, input: string): string {
  return JSON.stringify([tool, server ?? null, input]);
}
