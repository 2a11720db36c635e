import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { standsStill } from '../helpers/standsStill';
import type { WindowEnd } from './mishaps';
import type { WindowPlan } from './plan';

/** True if processes can run in a PID namespace of their own here. */
const hasNamespaces = process.platform === 'linux' && spawnSync('unshare', ['-Urpf', '--mount-proc', 'true']).status === 0;

/** Maximum life of a window that was not suspended, in milliseconds. Detects hangs and never measures the machine's speed. */
const longestLife = 180_000;

/** Runs windows as processes, and resumes suspended ones after their time. */
export class Windows {
  private readonly children = new Set<ChildProcess>();

  constructor(
    /** Folder of the tasks. */
    private readonly folder: string,
    /** The built script of a window, which finds its task by its first argument. */
    private readonly script: string,
  ) {}

  /** Resolves with the end of a window. `onStill` is called each time it is suspended. */
  async run(plan: WindowPlan, task: object, onStill: () => void): Promise<string> {
    await wait(plan.startsAfter);
    const taskFile = path.join(this.folder, `${randomUUID()}.task.json`);
    writeFileSync(taskFile, JSON.stringify({ ...task, mishaps: plan.mishaps }));
    const command = [process.execPath, this.script, taskFile];
    // The shell keeps the window from being the first process of its namespace, which ignores its own signals.
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

/** Resumes a suspended window after its time. */
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
