import type { Connection } from '../connection';
import { emulatorHost, type Link } from './linkForm';

/** Host and port by which a link names the service of a connection. */
export function toLinkHost({ baseUrl, isEmulator }: Pick<Connection, 'baseUrl' | 'isEmulator'>): string {
  return isEmulator ? emulatorHost : new URL(baseUrl).host;
}

/**
 * The connections of this machine that lead where a link says: only the host counts. The one of the same name comes alone, names being what
 * people tell accounts apart by; one of that name which leads elsewhere is none of them.
 */
export function findLinked<C extends Pick<Connection, 'name' | 'baseUrl' | 'isEmulator'>>(
  connections: readonly C[],
  { host, connection }: Pick<Link, 'host' | 'connection'>,
): readonly C[] {
  // A service may be called as the emulator is; the emulator's name no other connection can have.
  const there = connections.filter(one => toLinkHost(one) === host && (!one.isEmulator || one.name === connection));
  const named = there.find(({ name }) => name === connection);
  return named === undefined ? there : [named];
}
