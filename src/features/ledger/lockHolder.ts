import { readFileSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';

/** The process that holds a lock, as it stands in the lock's file. */
export interface LockHolder {
  readonly pid: number;
  /** Where its id means something: host name, boot and PID namespace. */
  readonly place: string;
  /** Tells it from a later process with the same id, where the system says so. */
  readonly started?: string;
}

/** What is known of a holder: `unknown` where its id proves nothing here, so that only its heartbeat counts. */
export type HolderLife = 'alive' | 'dead' | 'unknown';

let ownPlace: string | undefined;
let ownStart: string | undefined;

/** This process. */
export function thisHolder(): LockHolder {
  ownPlace ??= `${os.hostname()} ${bootOf()} ${namespaceOf()}`;
  ownStart ??= startOf(readText('/proc/self/stat'));
  return { pid: process.pid, place: ownPlace, ...(ownStart !== '' && { started: ownStart }) };
}

/** A holder from the text of a lock's file; undefined when it names none, as files of versions before 0.5 do. */
export function parseHolder(text: string): LockHolder | undefined {
  try {
    const { pid, place, started } = JSON.parse(text.split('\n', 1)[0] ?? '');
    if (Number.isSafeInteger(pid) && pid > 0 && typeof place === 'string') {
      return { pid, place, ...(typeof started === 'string' && { started }) };
    }
  } catch {
    // Some other text.
  }
  return undefined;
}

/**
 * Whether a holder lives. An id of another host, boot or PID namespace proves nothing; nor does a process with its id where the
 * system does not tell when it started, for it can be another one.
 */
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

/** Changes with every start of the system. Elsewhere than on Linux to the minute: a clock that was set makes it another one. */
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

/** Fields of `/proc/<pid>/stat` behind the name, which can hold any character: state first, start time the twentieth. */
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
