/** Contexts of row menus, which select the entries of `webview/context` in package.json. */
export const rowMenus = { results: toContext('resultRow'), requests: toContext('requestRow') } as const;

/** Context for elements without a menu. Also hides VS Code's default entries. */
export const noMenu = toContext('');

function toContext(webviewSection: string): string {
  return JSON.stringify({ webviewSection, preventDefaultContextMenuItems: true });
}
