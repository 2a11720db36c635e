/**
 * Escapes a text for a notification or the message below an input box. In these places, VS Code would turn `[words](address)` into a link,
 * even into a link that runs a command.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}
