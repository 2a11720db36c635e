import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';

/** Path under which an emulator confirms that it holds a lock. The token is the last segment. */
export const lockPath = '/_emulator/lock/';

const lockSchema = z.object({ port: z.int().min(1).max(65_535), token: z.string().regex(/^[\w-]+$/) });
type Lock = z.infer<typeof lockSchema>;

/** Folder in which an emulator stores its state, and the lock on it. */
export interface StateFolder {
  readonly path: string;
  /** True if the contents outlive the emulator. */
  readonly isPersistent: boolean;
  release(): Promise<void>;
}

/** Thrown if a running emulator still needs the folder. `holder` is `undefined` if the emulator does not respond. */
export class StateFolderInUse extends Error {
  override readonly name = 'StateFolderInUse';

  constructor(
    folder: string,
    readonly holder: OtherEmulator | undefined,
  ) {
    super(`Another emulator uses ${folder}${holder === undefined ? '' : ` and answers at ${holder.url}`}.`);
  }
}

/**
 * Locks `wanted` for the emulator that listens on `lock.port`, or creates a temporary folder if `wanted` is undefined. Throws
 * `StateFolderInUse` if another emulator has the folder. A lock is taken over if its emulator does not confirm the lock. Locks are numbered
 * files. The highest number is the valid lock. A lock file stays when its emulator ends, so that no number is used twice. If several
 * emulators find a dead lock at once, only one creates the next lock, and the others ask that one.
 */
export async function openStateFolder(wanted: string | undefined, lock: Lock): Promise<StateFolder> {
  if (wanted === undefined) {
    const folder = await mkdtemp(path.join(tmpdir(), 'managed-agents-emulator-'));
    return { path: folder, isPersistent: false, release: () => rm(folder, { recursive: true, force: true }) };
  }
  await mkdir(wanted, { recursive: true, mode: 0o700 });
  for (let tries = 0; tries < maxTries; tries++) {
    const numbers = await lockNumbers(wanted);
    const latest = Math.max(0, ...numbers);
    const found = await readLock(toLockFile(wanted, latest));
    const answer = found === undefined ? undefined : await askHolder(found.port, lockPath + found.token);
    if (answer !== undefined) {
      throw new StateFolderInUse(wanted, answer.holder);
    }
    const ownLock = toLockFile(wanted, latest + 1);
    if ((await writeLock(ownLock, lock)) && (await isLatest(wanted, latest + 1))) {
      await writeFile(path.join(wanted, portFile), String(lock.port));
      await Promise.all(numbers.map(number => rm(toLockFile(wanted, number), { force: true })));
      // A lock file of one byte names no emulator. The file is missing if somebody deleted the folder.
      const release = async () => (existsSync(ownLock) ? await truncate(ownLock, 1) : undefined);
      return { path: wanted, isPersistent: true, release };
    }
  }
  throw new Error(`Other emulators keep locking ${wanted}.`);
}

/** Returns the port of the emulator that last used the folder, or `undefined` for a new folder. */
export async function lastPort(folder: string): Promise<number | undefined> {
  const port = Number(await readFile(path.join(folder, portFile), 'utf8').catch(() => ''));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

const portFile = 'emulator.port';

/** Maximum number of attempts to take a lock. Other emulators may take it between two attempts. */
const maxTries = 20;

/** Returns the path of a lock. Older versions had one lock, without a number. */
function toLockFile(folder: string, number: number): string {
  return path.join(folder, number === 0 ? 'emulator.lock' : `emulator.lock.${number}`);
}

async function lockNumbers(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder);
  return names.flatMap(name => {
    const [found, number = '0'] = /^emulator\.lock(?:\.(\d{1,15}))?$/.exec(name) ?? [];
    return found === undefined ? [] : [Number(number)];
  });
}

/** Returns whether the lock with this number is the latest. If not, deletes it. */
async function isLatest(folder: string, number: number): Promise<boolean> {
  const latest = Math.max(...(await lockNumbers(folder)));
  if (latest !== number) {
    await rm(toLockFile(folder, number), { force: true });
  }
  return latest === number;
}

/** Creates a lock. Returns false if the lock already exists. */
async function writeLock(file: string, lock: Lock): Promise<boolean> {
  return writeFile(file, JSON.stringify(lock), { flag: 'wx', mode: 0o600 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') {
        throw error;
      }
      return false;
    },
  );
}

/** Interval between two reads of a lock that is being written, in milliseconds, and the maximum number of reads. */
const pause = 50;
const maxReads = 20;

async function readLock(file: string): Promise<Lock | undefined> {
  try {
    let text = await readFile(file, 'utf8');
    for (let reads = 1; text === '' && reads < maxReads; reads++) {
      await sleep(pause);
      text = await readFile(file, 'utf8');
    }
    return lockSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Address and key of another emulator on this machine. */
interface OtherEmulator {
  readonly url: string;
  readonly key: string;
}

/** Path of a response that stays open until the emulator ends. */
export const presencePath = '/_emulator/presence';

/** Time limit for the holder of a lock to respond, in milliseconds. The holder may first have to ask whether the lock is still needed. */
const patience = 8_000;
const maxBytes = 4_096;

const holderSchema = z.object({ key: z.string().min(1) });

/**
 * Asks the program that listens on a port of this machine whether the program has the lock at `path`. Returns `undefined` if the program
 * does not confirm that. `holder` is `undefined` for an emulator that does not respond in time.
 */
export async function askHolder(port: number, path: string): Promise<{ readonly holder: OtherEmulator | undefined } | undefined> {
  const url = `http://127.0.0.1:${port}`;
  const late = AbortSignal.timeout(patience);
  try {
    const response = await get(url + path, late);
    if (response.statusCode !== 200 || !(Number(response.headers['content-length']) <= maxBytes)) {
      response.destroy();
      return undefined;
    }
    return { holder: { url, ...holderSchema.parse(JSON.parse(await text(response))) } };
  } catch {
    return late.aborted ? { holder: undefined } : undefined;
  }
}

/** Resolves when another emulator has ended, or when the signal aborts. */
export async function untilGone({ url, key }: OtherEmulator, signal: AbortSignal): Promise<void> {
  try {
    const response = await get(url + presencePath, signal, { 'x-api-key': key });
    response.resume();
    await once(response, 'close');
  } catch {
    // An emulator that can't be reached, or whose connection broke, has ended.
  }
}

async function get(url: string, signal: AbortSignal, headers: http.OutgoingHttpHeaders = {}): Promise<IncomingMessage> {
  const [response]: IncomingMessage[] = await once(http.get(url, { agent: false, signal, headers }), 'response');
  if (response === undefined) {
    throw new Error('There was no response.');
  }
  return response;
}
