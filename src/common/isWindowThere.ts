import * as vscode from 'vscode';
import { settlesWithin } from './settlesWithin';

/** Milliseconds within which a window answers, however busy it is. */
const patience = 5_000;

/**
 * Whether this extension host still has its window. VS Code keeps the host of a page that crashed, or of a connection that broke, for
 * minutes to hours, in case its window comes back; nothing that such a host asks is answered.
 */
export function isWindowThere(): Promise<boolean> {
  const refused = () => undefined;
  // That there is no such command is an answer, too.
  return settlesWithin(Promise.resolve(vscode.commands.executeCommand('noop')).catch(refused), patience);
}
