import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { lensTitle } from '../../../common/text/lensTitle';

/** State of a document: equal to the service, a draft of an existing resource, or a draft of a new one. `undefined`: read-only. */
export type DraftState = 'published' | 'draft' | 'new' | undefined;

/** Access to the documents of a scheme and their draft states. */
export interface DraftDocuments {
  stateOf(uri: vscode.Uri): DraftState;
  readonly onDidChangeDrafts: vscode.Event<unknown>;
}

/** Registers code lenses on line 1 of definitions, which show whether the text is published and offer to publish or compare a draft. */
export function registerDraftLenses(schemes: readonly string[], load: () => Promise<DraftDocuments>): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let documents: Promise<DraftDocuments> | undefined;
  const get = () => {
    documents ??= load().then(loaded => {
      loaded.onDidChangeDrafts(() => changed.fire());
      return loaded;
    });
    return documents;
  };
  return combine(
    changed,
    onDidChangeSettings(['managedAgents.editor.codeLens'], () => changed.fire()),
    vscode.languages.registerCodeLensProvider(
      schemes.map(scheme => ({ scheme })),
      {
        onDidChangeCodeLenses: changed.event,
        provideCodeLenses: async ({ uri }) =>
          readSetting('managedAgents.editor.codeLens', uri) ? onLine1(draftCommands(uri, (await get()).stateOf(uri))) : [],
      },
    ),
  );
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

/** Registers code lenses on line 1 of memories, which show whether the editor has unsaved changes. */
export function registerMemoryLenses(scheme: string): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const redraw = ({ uri }: vscode.TextDocument) => uri.scheme === scheme && changed.fire();
  return combine(
    changed,
    vscode.workspace.onDidSaveTextDocument(redraw),
    vscode.languages.registerCodeLensProvider(
      { scheme },
      {
        onDidChangeCodeLenses: changed.event,
        provideCodeLenses: ({ isDirty, uri }) => {
          const title = isDirty ? lensTitle('edit', vscode.l10n.t('Not saved')) : lensTitle('cloud', vscode.l10n.t('Saved to the service'));
          return readSetting('managedAgents.editor.codeLens', uri) ? onLine1([{ title, command: '' }]) : [];
        },
      },
    ),
  );
}

function onLine1(commands: readonly vscode.Command[]): vscode.CodeLens[] {
  return commands.map(command => new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command));
}
