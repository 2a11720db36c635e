import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { lensTitle } from '../../../common/text/lensTitle';

/** State of a document: equal to the service, a draft of an existing resource, or a draft of a new resource. `undefined`: read-only. */
export type DraftState = 'published' | 'draft' | 'new' | undefined;

/** Access to the documents of a scheme and their draft states. */
interface DraftDocuments {
  stateOf(uri: vscode.Uri): DraftState;
  readonly onDidChangeDrafts: vscode.Event<unknown>;
}

/**
 * Registers code lenses on line 1 of definitions. The lenses show whether the text is published and offer to publish or compare a draft.
 */
export function registerDraftLenses(schemes: readonly string[], load: () => Promise<DraftDocuments>): vscode.Disposable {
  let documents: Promise<DraftDocuments> | undefined;
  const get = () => {
    documents ??= load().then(loaded => {
      loaded.onDidChangeDrafts(() => lenses.refresh());
      return loaded;
    });
    return documents;
  };
  const lenses = registerLenses(
    schemes.map(scheme => ({ scheme })),
    async ({ uri }) => onLine1(...draftCommands(uri, (await get()).stateOf(uri))),
  );
  return lenses;
}

/** Returns the code lenses for a document in a state. */
export function draftCommands(uri: vscode.Uri, state: DraftState): vscode.Command[] {
  const { t } = vscode.l10n;
  if (state === undefined) {
    return [];
  }
  if (state === 'published') {
    return [{ title: lensTitle('cloud', t('Published')), command: '' }];
  }
  const compare = commandLink('managedAgents.compare', lensTitle('diff', t('Compare')), uri);
  return [
    { title: lensTitle('edit', t('Draft, not published')), command: '' },
    commandLink('managedAgents.publish', lensTitle('cloud-upload', t('Publish')), uri),
    ...(state === 'new' ? [] : [compare]),
  ];
}

/** Registers code lenses on line 1 of memories. The lenses show whether the editor has unsaved changes. */
export function registerMemoryLenses(scheme: string): vscode.Disposable {
  const lenses = registerLenses({ scheme }, async ({ isDirty }) => {
    const title = isDirty ? lensTitle('edit', vscode.l10n.t('Not saved')) : lensTitle('cloud', vscode.l10n.t('Saved to the service'));
    return onLine1({ title, command: '' });
  });
  return combine(
    lenses,
    vscode.workspace.onDidSaveTextDocument(({ uri }) => uri.scheme === scheme && lenses.refresh()),
  );
}

/** Registers code lenses. They are shown unless the user turned them off. `refresh` requests them again. */
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
