/**
 * Returns an ask as one text: the tool, its server, and its complete arguments as JSON. The SHA-256 of the text is the fingerprint of the
 * ask. An answer contains the fingerprint of the ask that the user saw or a rule checked. The answer is invalid for any other ask.
 */
export function askText(tool: string, server: string | undefined, input: string): string {
  return JSON.stringify([tool, server ?? null, input]);
}
