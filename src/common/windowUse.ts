import * as vscode from 'vscode';
import { settlesWithin } from './settlesWithin';

/** Returns whether the user is using this window. In a browser, the window loses the focus to the webviews inside it. */
export function isWindowUsed(): boolean {
  const { focused, active } = vscode.window.state;
  return focused || (active && vscode.env.uiKind === vscode.UIKind.Web);
}

/** Maximum response time of a busy window, in milliseconds. */
const patience = 5_000;

/**
 * Returns whether this extension host still has its window. After a page crashed or a connection broke, VS Code keeps the host for minutes
 * to hours, in case the window comes back. Requests of such a host get no response.
 */
export function isWindowThere(): Promise<boolean> {
  const refused = () => undefined;
  // An error for an unknown command is a response, too.
  return settlesWithin(Promise.resolve(vscode.commands.executeCommand('noop')).catch(refused), patience);
}
