/** Escapes `$(name)` in a text from outside, which quick picks and the status bar render as an icon. */
export function withoutIcons(text: string): string {
  return text.replace(/\\?\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g, icon => (icon.startsWith('\\') ? icon : `\\${icon}`));
}
