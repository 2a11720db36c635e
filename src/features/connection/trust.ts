import * as vscode from 'vscode';
import { UntrustedError } from '../../common/asking/untrusted';
import { describeTrust } from '../../common/text/describeTrust';

/**
 * Purpose of using a service. `look`: not requested by the user. `read`: the user wants to see something. `change`: creates, changes or
 * ends something, or costs money.
 */
export type Use = 'look' | 'read' | 'change';

/**
 * Returns whether a use of a service is allowed. In an untrusted workspace, only `read` is. Checked for every request for a client, and by
 * dialogs before they ask the user something.
 */
export function mayUse(use: Use, isTrusted = vscode.workspace.isTrusted): boolean {
  return isTrusted || use === 'read';
}

/** Throws an `UntrustedError` with a message for the user if the use is not allowed. */
export function refuseUntrusted(use: Use, isTrusted?: boolean): void {
  if (!mayUse(use, isTrusted)) {
    throw new UntrustedError(describeTrust(vscode.l10n.t));
  }
}
