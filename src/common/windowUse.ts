import * as vscode from 'vscode';

/** Returns whether the user is using this window. In a browser, the window loses the focus to the webviews inside it. */
export function isWindowUsed(): boolean {
  const { focused, active } = vscode.window.state;
  return focused || (active && vscode.env.uiKind === vscode.UIKind.Web);
}
