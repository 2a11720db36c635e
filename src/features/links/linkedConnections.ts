import type { Connection } from '../connection';
import { emulatorHost, type Link } from './linkForm';

/** Returns the host and port of a connection in links. */
export function toLinkHost({ baseUrl, isEmulator }: Pick<Connection, 'baseUrl' | 'isEmulator'>): string {
  return isEmulator ? emulatorHost : new URL(baseUrl).host;
}

/**
 * Returns the connections of this machine with a link's host. If one of them has the link's connection name, returns only that one: users
 * distinguish accounts by name. A connection with that name but another host is never returned.
 */
export function findLinked<C extends Pick<Connection, 'name' | 'baseUrl' | 'isEmulator'>>(
  connections: readonly C[],
  { host, connection }: Pick<Link, 'host' | 'connection'>,
): readonly C[] {
  // A service can have the host name of the emulator, but only the emulator's connection can have its name.
  const matches = connections.filter(one => toLinkHost(one) === host && (!one.isEmulator || one.name === connection));
  const named = matches.find(({ name }) => name === connection);
  return named === undefined ? matches : [named];
}
