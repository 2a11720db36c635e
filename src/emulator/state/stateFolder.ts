import { mkdir, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';

/** Path under which an emulator says that it holds a lock; the token is the last segment. */
export const lockPath = '/_emulator/lock/';

const lockSchema = z.object({ port: z.int().min(1).max(65_535), token: z.string().regex(/^[\w-]+$/) });
type Lock = z.infer<typeof lockSchema>;

/** Milliseconds within which an emulator that has a lock says so: whoever runs it may have to find out first. */
const patience = 8_000;

/** The folder an emulator keeps its batches in, and how it is given back. */
export interface StateFolder {
  readonly path: string;
  readonly notice: string | undefined;
  /** Whether what is in it outlives the emulator. */
  readonly isKept: boolean;
  release(): Promise<void>;
}

/**
 * Takes `wanted` for the emulator that listens on `lock.port`, or a fresh temporary folder when none is wanted or another
 * running emulator has it and still wants it. A lock whose emulator does not answer that it does is taken over.
 */
export async function openStateFolder(wanted: string | undefined, lock: Lock): Promise<StateFolder> {
  if (wanted === undefined) {
    return temporaryFolder(undefined);
  }
  await mkdir(wanted, { recursive: true, mode: 0o700 });
  const lockFile = path.join(wanted, 'emulator.lock');
  if ((await writeLock(lockFile, lock)) || ((await removeDeadLock(lockFile, lock.token)) && (await writeLock(lockFile, lock)))) {
    return { path: wanted, notice: undefined, isKept: true, release: () => removeOwnLock(lockFile, lock.token) };
  }
  return temporaryFolder(
    `Another emulator uses ${wanted}; this one starts without what is kept there, and forgets everything when it stops.`,
  );
}

async function temporaryFolder(notice: string | undefined): Promise<StateFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'managed-agents-emulator-'));
  return { path: folder, notice, isKept: false, release: () => rm(folder, { recursive: true, force: true }) };
}

/** Makes the lock file unless there is one. */
async function writeLock(file: string, lock: Lock): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(JSON.stringify(lock)).finally(() => handle.close());
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

/** Removes the lock unless another emulator took it over. */
async function removeOwnLock(file: string, token: string): Promise<void> {
  if ((await readLock(file))?.token === token) {
    await rm(file, { force: true });
  }
}

/** Removes the lock of an emulator that is gone; false when it is there. */
async function removeDeadLock(file: string, token: string): Promise<boolean> {
  const found = await readLock(file);
  if (found !== undefined && (await answers(found))) {
    return false;
  }
  // Moved before it is removed: of two that find the same dead lock, only one gets it.
  const moved = `${file}.${token}`;
  try {
    await rename(file, moved);
  } catch {
    return true;
  }
  const taken = await readLock(moved);
  if (taken?.token !== found?.token) {
    await rename(moved, file);
    return false;
  }
  await rm(moved, { force: true });
  return true;
}

async function readLock(file: string): Promise<Lock | undefined> {
  try {
    return lockSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Whether the emulator that wrote the lock still runs: another program on its port does not know the token. */
function answers(lock: Lock): Promise<boolean> {
  return new Promise(resolve => {
    const options = { host: '127.0.0.1', port: lock.port, path: lockPath + lock.token, agent: false, timeout: patience };
    const request = http.get(options, response => {
      response.resume();
      resolve(response.statusCode === 204);
    });
    request.once('error', () => resolve(false));
    request.once('timeout', () => request.destroy());
  });
}
