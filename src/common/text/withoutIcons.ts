/**
 * Escapes a text from outside for a quick pick or the status bar, where VS Code renders `$(name)` as an icon. Otherwise, a name could
 * imitate an icon of VS Code.
 */
export function withoutIcons(text: string): string {
  return text.replace(/\\?\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g, icon => (icon.startsWith('\\') ? icon : `\\${icon}`));
}
