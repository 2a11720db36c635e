import * as vscode from 'vscode';
import { combine } from '../../common/disposables';
import { isWindowUsed } from '../../common/windowUse';
import type { EmulatorHost } from '../emulator';
import type { Connections } from './connection';

interface Acts {
  startOver(connection: string | undefined): void;
  look(): void;
}

/**
 * Calls `startOver` with the name of the current connection, initially and whenever the service or the access to it changes. Calls `look`
 * afterwards, and after every other change of connections.
 */
export function followConnection(connections: Connections, { startOver, look }: Acts): vscode.Disposable {
  let followed: string | undefined;
  const follow = () => {
    const { current, access } = connections;
    if (followed !== access) {
      followed = access;
      startOver(current?.name);
    }
    look();
  };
  follow();
  return connections.onDidChange(follow);
}

/**
 * Like `followConnection`, but also calls `look` when polling may have become possible. This happens when the view becomes visible, the
 * window is used, the emulator changes, or the workspace is trusted.
 */
export function whenPollable(
  { connections, emulator }: { readonly connections: Connections; readonly emulator: Pick<EmulatorHost, 'onDidChange'> },
  view: Pick<vscode.TreeView<unknown>, 'onDidChangeVisibility'>,
  acts: Acts,
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
