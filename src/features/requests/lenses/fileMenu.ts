import * as vscode from 'vscode';
import type { RequestDocuments } from '../documents/requestDocuments';
import { findFile } from '../documents/findRequest';
import { nameOf } from '../documents/requestFile';
import type { WatchedFileKinds } from '../kinds/watchFileKinds';

/** Parts of package.json. VS Code adds the original to a translated title. */
export interface MenuManifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string | { readonly value: string }; readonly icon?: string }[];
    readonly menus: { readonly 'managedAgents.fileMenu': readonly MenuEntry[] };
  };
}

interface MenuEntry {
  readonly command: string;
  readonly group: string;
  readonly when: string;
}

/** Returns the entries of the file menu for a file with some context keys, sorted by group. */
export function fileMenuEntries({ contributes: { menus } }: MenuManifest, keys: ReadonlySet<string>): readonly MenuEntry[] {
  return menus['managedAgents.fileMenu']
    .filter(({ when }) => when.split(' || ').some(clause => keys.has(clause.replace('resourcePath in ', ''))))
    .toSorted((a, b) => (a.group < b.group ? -1 : 1));
}

/** Shows the file menu of package.json in a picker, for the lens "More", and runs the chosen command. */
export async function showFileMenu(
  {
    documents,
    kinds,
    manifest,
  }: { readonly documents: RequestDocuments; readonly kinds: WatchedFileKinds; readonly manifest: MenuManifest },
  given: vscode.Uri | undefined,
): Promise<void> {
  const { uri } = findFile(documents, given).document;
  const items = fileMenuEntries(manifest, await kinds.keysOf(uri)).map(({ command }) => {
    const { title = command, icon = '' } = manifest.contributes.commands.find(other => other.command === command) ?? {};
    return { label: `${icon} ${typeof title === 'object' ? title.value : title}`.trim(), command };
  });
  const placeHolder = vscode.l10n.t('Select an action for {0}', nameOf(uri));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder });
  if (chosen !== undefined) {
    await vscode.commands.executeCommand(chosen.command, uri);
  }
}
