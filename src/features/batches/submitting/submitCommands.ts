import * as vscode from 'vscode';
import type { CommandRegistry } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import { Lazy } from '../../../common/lazy';
import type { BatchReference } from '../../../contributions';
import { registerRunCommands } from '../runCommands';
import type { CreateBatchDependencies } from './createBatchDependencies';

/**
 * The commands that show the sheet of a file, from which a batch is created, and those on what was sent. What they do is loaded when
 * one is used.
 */
export function registerSubmitCommands(
  deps: Omit<CreateBatchDependencies, 'lifetime'> & { readonly commands: CommandRegistry },
): vscode.Disposable {
  const { commands } = deps;
  const lifetime = new AbortController();
  const creating: CreateBatchDependencies = { ...deps, lifetime: lifetime.signal };
  const sheets = new Lazy(async () => new (await import('../sheet/sheets')).Sheets(creating));
  const show = async (given: vscode.Uri | undefined, mode: 'create' | 'estimate') => {
    const [{ showSheet }, loaded] = await Promise.all([import('./showSheet'), sheets.get()]);
    return showSheet(loaded, given, mode);
  };
  return combine(
    sheets,
    vscode.window.registerWebviewPanelSerializer('managedAgents.sheet', {
      deserializeWebviewPanel: async (panel, state) => (await sheets.get()).restore(panel, state),
    }),
    registerRunCommands({ ...creating, commands, showChosen: async (file, chosen) => (await sheets.get()).show(file, 'create', chosen) }),
    { dispose: () => lifetime.abort() },
    commands.register('managedAgents.batch.create', given => show(fileOf(given), 'create')),
    commands.register('managedAgents.file.estimate', given => show(given, 'estimate')),
  );
}

/** Returns the file that is given, or that of the row of a view. */
function fileOf(given: vscode.Uri | BatchReference | undefined): vscode.Uri | undefined {
  return given !== undefined && 'batchId' in given ? vscode.Uri.parse(given.source ?? '') : given;
}
