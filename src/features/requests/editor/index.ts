import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { Lazy } from '../../../common/lazy';
import { parseRequestTarget } from '../documents/requestTarget';
import type { EditingDependencies } from '../editingDependencies';
import { registerRequestFileSystem } from './requestFileSystem';

/** Registers the editor that shows one request as a JSON document and saves it to its line. */
export function registerRequestEditor(deps: EditingDependencies): vscode.Disposable {
  const { commands } = deps;
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const editors = new Lazy(async () => new (await import('./requestEditors')).RequestEditors(deps, events => changed.fire(events)));
  const load = () => Promise.all([editors.get(), import('./requestCommands')]);
  return combine(
    changed,
    editors,
    registerRequestFileSystem(editors, changed),
    commands.register('managedAgents.request.edit', async (...given) => {
      const [loaded, { editRequest }] = await load();
      await editRequest(deps, loaded, ...parseRequestTarget(...given));
    }),
    commands.register('managedAgents.request.editNext', async () => {
      const [loaded, { editNeighbor }] = await load();
      await editNeighbor(loaded, 1);
    }),
    commands.register('managedAgents.request.editPrevious', async () => {
      const [loaded, { editNeighbor }] = await load();
      await editNeighbor(loaded, -1);
    }),
    commands.register('managedAgents.request.revealSource', async () => {
      const [loaded, { revealSource }] = await load();
      await revealSource(loaded);
    }),
  );
}
