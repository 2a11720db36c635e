/**
 * A text of others for a quick pick or the status bar, where VS Code draws an icon for `$(name)`: here it stays text, so that no name
 * of a service can look like a mark of the editor.
 */
export function withoutIcons(text: string): string {
  return text.replace(/\\?\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g, icon => (icon.startsWith('\\') ? icon : `\\${icon}`));
}
