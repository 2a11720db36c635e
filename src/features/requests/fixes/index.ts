import * as vscode from 'vscode';
import { requestFileSelector } from '../documents/requestFile';
import type { EditingDependencies } from '../editingDependencies';
import { FixActionProvider } from './fixActionProvider';

/** Quick fixes, and the fix of everything at once, in request files. */
export function registerFixes(deps: EditingDependencies): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(requestFileSelector, new FixActionProvider(deps), FixActionProvider.metadata);
}
