import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Maximum length of a socket path that all systems support, in bytes. */
const maxBytes = 103;

/** Location where a server can listen for programs of this user. */
export interface SocketLocation {
  /** Path of a socket, or of a named pipe on Windows. Nothing listens there yet. */
  readonly path: string;
  /** Removes the files created for the location, synchronously. */
  remove(): void;
}

/**
 * Creates a location that other programs can't guess. If the system has file permissions, other users can't access it. Throws if no folder
 * can be created for it.
 */
export function createSocketLocation(platform: NodeJS.Platform = process.platform, temporary: string = tmpdir()): SocketLocation {
  const name = randomBytes(9).toString('base64url');
  if (platform === 'win32') {
    return { path: `\\\\.\\pipe\\managed-agents-${name}`, remove: () => undefined };
  }
  const prefix = (folder: string) => path.join(folder, 'mcp-');
  // `mkdtemp` appends six letters, and creates a folder that only this user can access.
  const isShort = Buffer.byteLength(`${prefix(temporary)}xxxxxx/${name}`) <= maxBytes;
  const folder = mkdtempSync(prefix(isShort ? temporary : '/tmp'));
  return { path: path.join(folder, name), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
