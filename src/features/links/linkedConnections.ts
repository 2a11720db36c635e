import type { Connection } from '../connection';
import { emulatorHost, type Link } from './linkForm';

/** Returns the host and port by which a link names the service of a connection. */
export function toLinkHost({ baseUrl, isEmulator }: Pick<Connection, 'baseUrl' | 'isEmulator'>): string {
  return isEmulator ? emulatorHost : new URL(baseUrl).host;
}

/**
 * Returns the connections of this machine for a link. Only the host counts. If one of them has the link's connection name, only that one is
 * returned: users distinguish accounts by name. A connection with that name but another host is not included.
 */
export function findLinked<C extends Pick<Connection, 'name' | 'baseUrl' | 'isEmulator'>>(
  connections: readonly C[],
  { host, connection }: Pick<Link, 'host' | 'connection'>,
): readonly C[] {
  // A service can have the same host name as the emulator, but no other connection can have the emulator's name.
  const matches = connections.filter(one => toLinkHost(one) === host && (!one.isEmulator || one.name === connection));
  const named = matches.find(({ name }) => name === connection);
  return named === undefined ? matches : [named];
}
