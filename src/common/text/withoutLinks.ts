/**
 * A text for a notification, or for the line beneath an input box: VS Code makes links of `[words](address)` there, also such that
 * run commands, whoever wrote them. Here they stay text.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}
