import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { lensTitle } from '../../../common/text/lensTitle';

/** Whether a document holds what the service has, a draft of it, or a draft of something new. `undefined`: it can only be read. */
export type DraftState = 'published' | 'draft' | 'new' | undefined;

/** The documents of a scheme, and what saving did with them. */
export interface DraftDocuments {
  stateOf(uri: vscode.Uri): DraftState;
  readonly onDidChangeDrafts: vscode.Event<unknown>;
}

/** Says on line 1 of each definition whether it is published, and offers to publish and to compare a draft. */
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

/** Returns what the lenses of a document in a state say and do. */
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

/** Says on line 1 of each memory whether the service has what is in the editor. */
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
