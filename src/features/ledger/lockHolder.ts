import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Clock } from '../../common/clock';

/** The process that holds a lock, as saved in the lock's file. */
export interface LockHolder {
  readonly pid: number;
  /** Scope of the process ID: host name, boot and PID namespace. */
  readonly place: string;
  /** Start time. Distinguishes the process from a later process with the same ID, where the system reports it. */
  readonly started?: string;
}

/** State of a holder. `unknown`: the process ID proves nothing on this machine, so only the heartbeat counts. */
export type HolderLife = 'alive' | 'dead' | 'unknown';

let ownScope: string | undefined;
let ownStart: string | undefined;

/** Returns the holder that identifies this process. */
export function thisHolder(): LockHolder {
  ownScope ??= `${os.hostname()} ${bootOf()} ${namespaceOf()}`;
  ownStart ??= startOf(readText('/proc/self/stat'));
  return { pid: process.pid, place: ownScope, ...(ownStart !== '' && { started: ownStart }) };
}

/** Parses the holder in a lock file. Returns `undefined` if the file names no holder, as in files of versions before 0.5. */
export function parseHolder(text: string): LockHolder | undefined {
  try {
    const { pid, place, started } = JSON.parse(text.split('\n', 1)[0] ?? '');
    if (Number.isSafeInteger(pid) && pid > 0 && typeof place === 'string') {
      return { pid, place, ...(typeof started === 'string' && { started }) };
    }
  } catch {
    // Not JSON.
  }
  return undefined;
}

/** Returns whether a holder is alive. A process ID from another host, boot or PID namespace, or without a start time, proves nothing. */
export async function lifeOf(holder: LockHolder | undefined): Promise<HolderLife> {
  if (holder === undefined || holder.place !== thisHolder().place) {
    return 'unknown';
  }
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') {
      return 'dead';
    }
  }
  if (holder.started === undefined) {
    return 'unknown';
  }
  const stat = await readFile(`/proc/${holder.pid}/stat`, 'utf8').catch(() => '');
  const [state, started] = [stateOf(stat), startOf(stat)];
  if (started === '') {
    return 'unknown';
  }
  return started === holder.started && state !== 'Z' && state !== 'X' ? 'alive' : 'dead';
}

/**
 * Returns an ID that changes at each boot. Outside Linux, the ID is the boot time in minutes. It then also changes when the clock is set.
 */
function bootOf(): string {
  return readText('/proc/sys/kernel/random/boot_id').trim() || String(Math.round((Date.now() / 1000 - os.uptime()) / 60));
}

function namespaceOf(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Returns the fields of `/proc/<pid>/stat` after the name. The first is the state, the twentieth the start time. */
function fieldsOf(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function stateOf(stat: string): string {
  return fieldsOf(stat)[0] ?? '';
}

function startOf(stat: string): string {
  return fieldsOf(stat)[19] ?? '';
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Time in milliseconds without a heartbeat after which a submission's hold is abandoned, unless its process is known to be alive. */
export const holdTimeout = 20_000;

/** Mark of a submission that this process is sending. All windows see it until it is released. */
export interface SendingHold {
  /** Returns whether this process still holds the submission. False if it stalled and another window removed its hold. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

interface SendingHoldsOptions {
  readonly clock: Clock;
  /** File name of the holds. Defaults to `sending.lock`. */
  readonly name?: string;
  readonly holder?: LockHolder;
  /**
   * Time in milliseconds without a heartbeat, by the reader's monotonic clock, after which a hold is abandoned. The holder writes four
   * heartbeats in this time.
   */
  readonly timeout?: number;
  /** True if a live holder keeps its hold without heartbeats, because its work must not be repeated meanwhile. */
  readonly outlastsSilence: boolean;
  readonly lifeOf?: (holder: LockHolder | undefined) => Promise<HolderLife>;
}

/** Takes and checks holds. A hold is a file with its process (`LockHolder`) and its own inode, touched regularly. */
export class SendingHolds {
  private readonly own = new Set<string>();
  /** Last observed changes of other holds, by this process's monotonic clock, keyed by file. Wall clocks are not compared. */
  private readonly known = new Map<string, { readonly stamp: string; readonly since: number }>();

  constructor(private readonly options: SendingHoldsOptions) {}

  private fileOf(folder: string): string {
    return path.join(folder, this.options.name ?? 'sending.lock');
  }

  /** Takes the hold of a folder for which `isHeld` returned false. If several processes do so at once, the last process wins. */
  async take(folder: string): Promise<SendingHold> {
    const file = this.fileOf(folder);
    const { clock, holder = thisHolder(), timeout = holdTimeout } = this.options;
    let text = '';
    await rm(file, { force: true });
    const handle = await open(file, 'wx', 0o600);
    try {
      const { ino } = await handle.stat();
      text = `${JSON.stringify({ ...holder, inode: ino })}\n${randomUUID()}`;
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    this.own.add(folder);
    const isHeld = async () => (await readFile(file, 'utf8').catch(() => '')) === text;
    const beat = async () => {
      // A process that was suspended must not keep the hold of another process alive.
      if (await isHeld()) {
        const now = new Date(clock.now());
        await utimes(file, now, now);
      }
    };
    const timer = setInterval(() => void beat().catch(() => undefined), timeout / 4).unref();
    return {
      isHeld,
      release: async () => {
        clearInterval(timer);
        this.own.delete(folder);
        if (await isHeld()) {
          // A hold that can't be removed is harmless, because its process no longer writes heartbeats.
          await rm(file, { force: true }).catch(() => undefined);
        }
      },
    };
  }

  /** Returns whether this or another live process holds a folder. */
  async isHeld(folder: string): Promise<boolean> {
    // Doesn't compare process IDs, because an earlier process may have had the same ID as this process.
    return this.own.has(folder) || (await this.isBeating(this.fileOf(folder)));
  }

  /** Returns whether a process holds the file. An unreadable file counts as held. */
  private async isBeating(file: string): Promise<boolean> {
    const { clock, timeout = holdTimeout, outlastsSilence, lifeOf: judge = lifeOf } = this.options;
    let text: string;
    let modified: number;
    try {
      text = await readFile(file, 'utf8');
      modified = (await stat(file)).mtimeMs;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        return true;
      }
      this.known.delete(file);
      return false;
    }
    const life = await judge(parseHolder(text));
    if (life === 'dead') {
      return false;
    }
    const known = this.known.get(file);
    const stamp = `${modified}\n${text}`;
    if (known?.stamp !== stamp) {
      this.known.set(file, { stamp, since: clock.monotonic() });
      return true;
    }
    return (life === 'alive' && outlastsSilence) || clock.monotonic() - known.since < timeout;
  }

  /**
   * Returns whether the process that took the hold of a folder is known to have ended. Returns false if this is unknown, because the hold
   * is missing, a copy, or from another host, boot or PID namespace. The original of a copied ledger may still be sending.
   */
  async hasEnded(folder: string): Promise<boolean> {
    const file = this.fileOf(folder);
    const [text, found] = await Promise.all([readFile(file, 'utf8').catch(() => ''), stat(file).catch(() => undefined)]);
    return text.includes(`"inode":${found?.ino}}\n`) && (await lifeOf(parseHolder(text))) === 'dead';
  }

  /** Deletes the hold of a process that seems dead. A live process notices the deletion. */
  async remove(folder: string): Promise<void> {
    await rm(this.fileOf(folder), { force: true });
  }
}
