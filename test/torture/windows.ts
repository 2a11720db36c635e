import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { standsStill } from '../helpers/standsStill';
import type { WindowEnd } from './mishaps';
import type { WindowPlan } from './plan';

/** True if processes on this machine can run in a PID namespace of their own. */
const hasNamespaces = process.platform === 'linux' && spawnSync('unshare', ['-Urpf', '--mount-proc', 'true']).status === 0;

/** Maximum life of a window without suspensions, in milliseconds. Only detects hangs, so it is long enough for any machine. */
const longestLife = 180_000;

/** Runs windows as processes, and resumes suspended windows after the time in their plan. */
export class Windows {
  private readonly children = new Set<ChildProcess>();

  constructor(
    /** Folder of the tasks. */
    private readonly folder: string,
    /** Path of the built script of a window. Its first argument is the path of its task. */
    private readonly script: string,
  ) {}

  /** Runs a window. Resolves with the kind of its end. `onStill` is called each time the window is suspended. */
  async run(plan: WindowPlan, task: object, onStill: () => void): Promise<string> {
    await wait(plan.startsAfter);
    const taskFile = path.join(this.folder, `${randomUUID()}.task.json`);
    writeFileSync(taskFile, JSON.stringify({ ...task, mishaps: plan.mishaps }));
    const command = [process.execPath, this.script, taskFile];
    // The first process of a namespace ignores its own signals. The shell becomes the first process, not the window.
    const elsewhere = ['unshare', '-Urpf', '--mount-proc', '--kill-child', 'sh', '-c', '"$@" & wait', 'window', ...command];
    const [name = '', ...args] = plan.isElsewhere && hasNamespaces ? elsewhere : command;
    const child = spawn(name, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.children.add(child);
    let end: WindowEnd | undefined;
    child.on('message', message => {
      end = message as WindowEnd;
    });
    const gone = once(child, 'exit');
    let isGone = false;
    void gone.then(() => {
      isGone = true;
    });
    const began = performance.now();
    while (!isGone) {
      if (performance.now() - began > longestLife + plan.mishaps.length * plan.stillFor) {
        throw new Error(`A window hangs: ${JSON.stringify(plan)}`);
      }
      await Promise.race([gone, wakeUp(plan, child, onStill)]);
    }
    this.children.delete(child);
    return end?.kind ?? 'killed';
  }

  /** Kills the running processes. */
  end(): void {
    for (const child of this.children) {
      for (const pid of familyOf(child.pid)) {
        process.kill(pid, 'SIGKILL');
      }
    }
  }
}

/** Resumes a suspended window after the time in its plan. */
async function wakeUp({ stillFor }: WindowPlan, child: ChildProcess, onStill: () => void): Promise<void> {
  const still = familyOf(child.pid).filter(standsStill);
  if (still.length === 0) {
    await wait(20);
    return;
  }
  onStill();
  await wait(stillFor);
  for (const pid of still) {
    process.kill(pid, 'SIGCONT');
  }
}

/** Returns the ids of a process and all its descendants. */
function familyOf(pid: number | undefined): readonly number[] {
  if (pid === undefined) {
    return [];
  }
  try {
    const below = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
    return [pid, ...below.flatMap(familyOf)];
  } catch {
    // The process has ended meanwhile.
    return [];
  }
}
