import * as vscode from 'vscode';
import type { ServiceClient } from '../../client/serviceClient';
import { UntrustedError } from '../../common/asking/untrusted';
import { describeTrust } from '../../common/text/describeTrust';
import { toLabel } from '../../shared/text';
import type { Connection, Connections } from './connection';

/** Connection and the client of its service. */
export interface Reached {
  readonly connection: Connection;
  readonly client: ServiceClient;
}

/**
 * Returns a service by its connection or the connection's name. All features get their clients here, so an untrusted workspace is rejected
 * here with an `UntrustedError`, before any lookup or question. Throws an error for the user if the connection no longer exists, and the
 * errors of `Connections.client`.
 */
export async function reach(
  connections: Pick<Connections, 'find' | 'client'> & Partial<Pick<Connections, 'whenKnown'>>,
  of: Connection | string,
  use: Use,
): Promise<Reached> {
  refuseUntrusted(use);
  await connections.whenKnown;
  const connection = typeof of === 'string' ? connections.find(of) : of;
  if (connection === undefined) {
    throw new Error(vscode.l10n.t('The connection {0} no longer exists. Add it again.', toLabel(String(of), 80)));
  }
  return { connection, client: await connections.client(connection, use) };
}

/**
 * Purpose of using a service. `look`: not requested by the user. `read`: the user wants to see something. `change`: creates, changes or
 * ends something, or costs money.
 */
export type Use = 'look' | 'read' | 'change';

/**
 * Returns whether a use of a service is allowed. In an untrusted workspace, only `read` is allowed. Checked for every request for a client,
 * and by dialogs before they ask the user something.
 */
export function mayUse(use: Use): boolean {
  return vscode.workspace.isTrusted || use === 'read';
}

/** Throws an `UntrustedError` with a message for the user if the use is not allowed. */
export function refuseUntrusted(use: Use): void {
  if (!mayUse(use)) {
    throw new UntrustedError(describeTrust(vscode.l10n.t));
  }
}
