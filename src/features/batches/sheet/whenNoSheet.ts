import * as vscode from 'vscode';
import { onDidChangeShown } from '../../../common/documents/tabs';

/** What VS Code knows the webviews of sheets by. */
export const sheetViewType = 'managedAgents.sheet';

/** Settles once no sheet is in front in any column: what nobody asked for is told then, as a toast lies over the button that sends. */
export function whenNoSheet(): Promise<void> {
  return new Promise(resolve => {
    if (!isSheetShown()) {
      resolve();
      return;
    }
    const listening = onDidChangeShown(() => {
      if (!isSheetShown()) {
        listening.dispose();
        resolve();
      }
    });
  });
}

function isSheetShown(): boolean {
  // VS Code puts words of its own before the type.
  return vscode.window.tabGroups.all.some(
    ({ activeTab }) => activeTab?.input instanceof vscode.TabInputWebview && activeTab.input.viewType.endsWith(sheetViewType),
  );
}
