import * as vscode from 'vscode';
import { UntrustedError } from '../../common/asking/untrusted';
import { describeTrust } from '../../common/text/describeTrust';

/**
 * Purpose of using a service. With `look`, the call was not requested by the user. With `read`, the user asked to see something. With `change`,
 * something is created, changed or ended, or costs money.
 */
export type Use = 'look' | 'read' | 'change';

/**
 * Returns whether a use of a service is allowed: in an untrusted workspace, only reading for the user. Applied to every request for a
 * client, and by dialogs before they ask the user something.
 */
export function mayUse(use: Use, isTrusted = vscode.workspace.isTrusted): boolean {
  return isTrusted || use === 'read';
}

/** Throws an `UntrustedError` with a message if the rule does not allow the use. */
export function refuseUntrusted(use: Use, isTrusted?: boolean): void {
  if (!mayUse(use, isTrusted)) {
    throw new UntrustedError(describeTrust(vscode.l10n.t));
  }
}
