import * as vscode from 'vscode';
import { showInformation } from '../../common/asking/notifications';

/** Says that what the emulator keeps for this folder is in use by another window, so that this one's has nothing of it. */
export async function tellSecond(): Promise<void> {
  await showInformation(
    vscode.l10n.t(
      'Another window of this folder runs the emulator. This one has its own, which starts empty and forgets everything when it stops.',
    ),
  );
}
