/** What VS Code is told of a row when its menu is asked for: which entries of `webview/context` in package.json are meant. */
export const rowMenus = { results: toContext('resultRow'), requests: toContext('requestRow') } as const;

/** Where no menu of ours is, and none of those that every page has. */
export const noMenu = toContext('');

function toContext(webviewSection: string): string {
  return JSON.stringify({ webviewSection, preventDefaultContextMenuItems: true });
}
