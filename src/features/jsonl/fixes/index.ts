import type * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import type { EditingDependencies } from '../editing';

/** Quick fixes, and the fix of everything at once, in request files. */
export function registerFixes(_deps: EditingDependencies): vscode.Disposable {
  return combine();
}
