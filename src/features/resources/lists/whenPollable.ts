import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { isWindowUsed } from '../../../common/windowUse';
import { type Connections, followConnection } from '../../connection';
import type { EmulatorHost } from '../../emulator';

/**
 * As `followConnection`. Also calls `look` when background requests may have become possible: the view becomes visible, the window is used,
 * or the workspace is trusted.
 */
export function whenPollable(
  { connections, emulator }: { readonly connections: Connections; readonly emulator: Pick<EmulatorHost, 'onDidChange'> },
  view: Pick<vscode.TreeView<unknown>, 'onDidChangeVisibility'>,
  acts: { startOver(connection: string | undefined): void; look(): void },
): vscode.Disposable {
  const { look } = acts;
  return combine(
    followConnection(connections, acts),
    emulator.onDidChange(look),
    view.onDidChangeVisibility(({ visible }) => visible && look()),
    vscode.window.onDidChangeWindowState(() => isWindowUsed() && look()),
    vscode.workspace.onDidGrantWorkspaceTrust(look),
  );
}
