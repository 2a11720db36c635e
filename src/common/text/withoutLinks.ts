/**
 * Escapes a text for a notification or the message below an input box. VS Code would turn `[words](address)` into a link there, even one
 * that runs a command.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}
