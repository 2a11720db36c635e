import * as vscode from 'vscode';
import type { ServiceClient } from '../../client/serviceClient';
import { toLabel } from '../../shared/text';
import type { Connection, Connections } from './connection';
import { refuseUntrusted, type Use } from './trust';

/** Service with its client. */
export interface Reached {
  readonly connection: Connection;
  readonly client: ServiceClient;
}

/**
 * Returns a service by its connection or the connection's name. All features get their clients here, so an untrusted workspace is rejected
 * here with an `UntrustedError`, before any look-up or question. Throws an error for the user if the connection no longer exists, and the
 * errors of `Connections.client`.
 */
export async function reach(
  connections: Pick<Connections, 'find' | 'client'> & Partial<Pick<Connections, 'whenKnown'>>,
  of: Connection | string,
  use: Use,
  isTrusted?: boolean,
): Promise<Reached> {
  refuseUntrusted(use, isTrusted);
  await connections.whenKnown;
  const connection = typeof of === 'string' ? connections.find(of) : of;
  if (connection === undefined) {
    throw new Error(vscode.l10n.t('The connection {0} no longer exists. Add it again.', toLabel(String(of), 80)));
  }
  return { connection, client: await connections.client(connection, use) };
}
