import * as vscode from 'vscode';
import type { ContextKeys } from '../contributions';

/** Sets one context key for the `when` clauses of package.json. */
export function setContextKey<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
