import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { onDidChangeSettings, readSetting } from '../../../common/settings';

/** Registers code lenses, which are shown unless the user turned them off. `refresh` requests them again. */
export function registerLenses(
  documents: vscode.DocumentSelector,
  provide: (document: vscode.TextDocument) => Promise<readonly vscode.CodeLens[]>,
): vscode.Disposable & { refresh(): void } {
  const changed = new vscode.EventEmitter<void>();
  const refresh = () => changed.fire();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses: async document => (readSetting('managedAgents.editor.codeLens', document.uri) ? [...(await provide(document))] : []),
  };
  const registered = combine(
    changed,
    onDidChangeSettings(['managedAgents.editor.codeLens'], refresh),
    vscode.languages.registerCodeLensProvider(documents, provider),
  );
  return { refresh, dispose: () => registered.dispose() };
}

/** Returns code lenses on line 1. */
export function onLine1(...commands: readonly vscode.Command[]): readonly vscode.CodeLens[] {
  return commands.map(command => new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command));
}
