/**
 * Escapes a text from outside for a quick pick or the status bar, where VS Code renders `$(name)` as an icon. A name from a service can
 * then not look like a mark of the editor.
 */
export function withoutIcons(text: string): string {
  return text.replace(/\\?\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g, icon => (icon.startsWith('\\') ? icon : `\\${icon}`));
}
