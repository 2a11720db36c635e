import * as vscode from 'vscode';
import { requestFileSelector } from '../documents/requestFile';
import type { EditingDependencies } from '../editingDependencies';
import { FixActionProvider } from './fixActionProvider';

/** Registers quick fixes in request files. */
export function registerFixes(deps: EditingDependencies): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(requestFileSelector, new FixActionProvider(deps), FixActionProvider.metadata);
}
