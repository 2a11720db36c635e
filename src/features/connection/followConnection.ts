import type { Disposable } from 'vscode';
import type { Connections } from './connection';

/**
 * Calls `startOver` with the name of this window's connection, now and whenever the service or the access to it changes. Calls `look` after
 * that, and after every other change of connections.
 */
export function followConnection(
  connections: Connections,
  { startOver, look }: { startOver(connection: string | undefined): void; look(): void },
): Disposable {
  let followed: string | undefined;
  const follow = () => {
    const { current, access } = connections;
    if (followed !== access) {
      followed = access;
      startOver(current?.name);
    }
    look();
  };
  follow();
  return connections.onDidChange(follow);
}
