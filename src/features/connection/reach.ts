import * as vscode from 'vscode';
import type { ServiceClient } from '../../client/serviceClient';
import { toLabel } from '../../shared/text';
import type { Connection, Connections } from './connection';
import { refuseUntrusted, type Use } from './trust';

/** A service that can be asked. */
export interface Reached {
  readonly connection: Connection;
  readonly client: ServiceClient;
}

/**
 * The one way to a service, by a connection or its name. What may be sent from a workspace that is not trusted is decided here, before
 * anything is looked up or asked: throws an `UntrustedError` then, a sentence when the connection is gone, and as `Connections.client`.
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
    throw new Error(
      vscode.l10n.t('The connection {0} no longer exists. Add it again to reach what is on its service.', toLabel(String(of), 80)),
    );
  }
  return { connection, client: await connections.client(connection, use) };
}
