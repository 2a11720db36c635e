import type * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import type { EditingDependencies } from '../editing';

/** Completion, hovers, symbols, selection by structure and renaming in request files. */
export function registerLanguage(_deps: EditingDependencies): vscode.Disposable {
  return combine();
}
