import * as vscode from 'vscode';
import type { ServiceClient } from '../../client/serviceClient';
import { describeTrust } from '../../common/text/describeTrust';
import type { BatchLimits } from '../../jsonl/checking/batchFileReport';
import { toLabel } from '../../shared/text';
import { type Connection, type Connections, defaultLimits, reach, readyConnection as readyFor } from '../connection';

/** Service that a batch will be sent to, as configured when the file was checked. */
export interface Destination {
  readonly connection: Connection | undefined;
  /** Host and port of the service. Empty without a valid address. */
  readonly host: string;
  readonly origin: string;
  /** Base URL of the client. The emulator gets a new one at each start. */
  readonly baseUrl: string;
  readonly limits: BatchLimits;
}

/** Returns the destination. Asks for a missing connection or key, and throws a `CancelledError` if the user provides none. */
export async function chooseDestination(connections: Connections): Promise<Destination> {
  const ready = await readyFor(connections, {
    question: vscode.l10n.t('Select where to send the batch'),
    untrusted: vscode.l10n.t('No batch was created. {0}', describeTrust(vscode.l10n.t)),
  });
  const { connection, client } = await reach(connections, ready, 'change');
  const destination = toDestination(connection, client.baseUrl);
  if (connections.served.has({ name: connection.name, baseUrl: destination.baseUrl }, 'batches') === undefined) {
    // Not awaited: the client records in `served` whether the service supports batches, and `served` notifies the sheet. Other failures
    // don't matter here.
    client.batches.list({ limit: 1 }).catch(() => undefined);
  }
  return destination;
}

/** Returns the current destination without asking for anything. */
export function currentDestination({ current }: Connections): Destination {
  return current === undefined
    ? { connection: undefined, host: '', origin: '', baseUrl: '', limits: defaultLimits }
    : toDestination(current, current.baseUrl);
}

function toDestination(connection: Connection, baseUrl: string): Destination {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  return { connection, host: url?.host ?? '', origin: url?.origin ?? '', baseUrl, limits: connection.limits };
}

/** Describes how the destination changed since the check, or returns `undefined` if it didn't. */
export function describeSwitch(destination: Destination, connections: Connections, isToSend: boolean): string | undefined {
  const { connection: before } = destination;
  const { current, state, reason } = connections;
  if (current?.name !== before?.name) {
    return current === undefined ? vscode.l10n.t('No connection is selected.') : describeChanged(current);
  }
  if (before === undefined || current === undefined) {
    return undefined;
  }
  if (isToSend && state !== 'ready') {
    return reason ?? describeChanged(current);
  }
  const { origin } = toDestination(current, current.baseUrl);
  const isMoved = isToSend && origin !== '' && origin !== destination.origin;
  // The emulator has no address while it is stopped.
  const withoutPort = ({ baseUrl, ...rest }: Connection) => JSON.stringify(rest.isEmulator ? rest : { ...rest, baseUrl });
  return isMoved || withoutPort(before) !== withoutPort(current) ? describeChanged(current) : undefined;
}

function describeChanged({ name }: Connection): string {
  return vscode.l10n.t('The connection {0} has changed. Check again.', toLabel(name, 80));
}

/** Returns the client of a destination. Throws an error for the user if the client's address differs from the address that was shown. */
export async function clientOf({ connection, origin }: Destination, connections: Connections): Promise<ServiceClient | undefined> {
  if (connection === undefined) {
    return undefined;
  }
  const { client } = await reach(connections, connection, 'change');
  if (new URL(client.baseUrl).origin !== origin) {
    throw new Error(describeChanged(connection));
  }
  return client;
}
