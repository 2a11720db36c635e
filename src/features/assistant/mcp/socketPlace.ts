import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** What the system with the least takes as the path of a socket, in bytes. */
const mostBytes = 103;

/** Where a server can listen for programs of this user alone. */
export interface SocketPlace {
  /** Of a socket, or of a named pipe on Windows. Nobody listens there yet. */
  readonly path: string;
  /** Removes what was made for it, at once. */
  remove(): void;
}

/** A place that no other program can guess or, where places have rights, enter. Throws when no folder for it can be made. */
export function makeSocketPlace(platform: NodeJS.Platform = process.platform, temporary: string = tmpdir()): SocketPlace {
  const name = randomBytes(9).toString('base64url');
  if (platform === 'win32') {
    return { path: `\\\\.\\pipe\\managed-agents-${name}`, remove: () => undefined };
  }
  const prefix = (folder: string) => path.join(folder, 'mcp-');
  // `mkdtemp` adds six letters, and lets nobody else into what it makes.
  const isShort = Buffer.byteLength(`${prefix(temporary)}xxxxxx/${name}`) <= mostBytes;
  const folder = mkdtempSync(prefix(isShort ? temporary : '/tmp'));
  return { path: path.join(folder, name), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
