/** Escapes `[words](address)`, a link (even to a command) in notifications and below input boxes. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}
