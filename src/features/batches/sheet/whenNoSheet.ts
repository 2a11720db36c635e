import * as vscode from 'vscode';
import { onDidChangeShown } from '../../../common/documents/tabs';

export const sheetViewType = 'managedAgents.sheet';

/** Resolves once no sheet has the focus. Other notifications wait for that, because they could cover the button that sends. */
export function whenNoSheet(): Promise<void> {
  return new Promise(resolve => {
    if (!isAtSheet()) {
      resolve();
      return;
    }
    const listening = onDidChangeShown(() => {
      if (!isAtSheet()) {
        listening.dispose();
        resolve();
      }
    });
  });
}

/** Returns whether a sheet has the focus. A sheet that is only visible beside another editor may stay open for hours and doesn't count. */
function isAtSheet(): boolean {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  // VS Code prefixes the view type.
  return activeTab?.input instanceof vscode.TabInputWebview && activeTab.input.viewType.endsWith(sheetViewType);
}
