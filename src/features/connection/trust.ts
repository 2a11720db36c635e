import * as vscode from 'vscode';
import { UntrustedError } from '../../common/asking/untrusted';
import { describeTrust } from '../../common/text/describeTrust';

/**
 * What a service is wanted for: `look`: nobody asked for it just now; `read`: the user asked to see it; `change`: it makes, changes or ends
 * something, or costs something.
 */
export type Use = 'look' | 'read' | 'change';

/**
 * The one rule on what may be sent: in a workspace that is not trusted only what the user asks to read. Every client is asked for by
 * this rule; what asks the user something first asks the rule before that.
 */
export function mayUse(use: Use, isTrusted = vscode.workspace.isTrusted): boolean {
  return isTrusted || use === 'read';
}

/** Throws an `UntrustedError`, in words, where the rule does not allow it. */
export function refuseUntrusted(use: Use, isTrusted?: boolean): void {
  if (!mayUse(use, isTrusted)) {
    throw new UntrustedError(describeTrust(vscode.l10n.t));
  }
}
