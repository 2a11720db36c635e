import type * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import type { EditingDependencies } from '../editing';

const notBuilt = (): never => {
  throw new Error('This is being built.');
};

/** One request of a file as a JSON document of its own, which saves into its line. */
export function registerRequestEditor({ commands }: EditingDependencies): vscode.Disposable {
  return combine(
    commands.register('managedAgents.request.edit', notBuilt),
    commands.register('managedAgents.request.editNext', notBuilt),
    commands.register('managedAgents.request.editPrevious', notBuilt),
    commands.register('managedAgents.request.revealSource', notBuilt),
  );
}
