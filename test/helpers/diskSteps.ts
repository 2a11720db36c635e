import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Names of calls of `node:fs/promises` that change the disk. `diskLooks` has names of calls that only read. */
export const diskChanges = ['mkdir', 'open', 'rename', 'rm', 'link', 'unlink', 'copyFile', 'utimes'] as const;
export const diskLooks = ['readdir', 'readFile', 'stat'] as const;

type Call = (...args: unknown[]) => Promise<unknown>;

/**
 * Calls `before` and `after` around every disk call of this process that returns a promise. These are the calls in `names`, and each write
 * and flush of an open file. An error from `before` rejects the call. Also affects modules that load later.
 */
export async function onDiskSteps(names: readonly string[], before: (name: string) => void, after = () => {}): Promise<void> {
  const handle = await fs.promises.open(new URL(import.meta.url), 'r');
  const handles = Object.getPrototypeOf(handle) as Record<string, Call>;
  await handle.close();
  for (const name of ['writeFile', 'sync']) {
    wrap(handles, name, before, after);
  }
  for (const name of names) {
    wrap(fs.promises as unknown as Record<string, Call>, name, before, after);
  }
  syncBuiltinESMExports();
}

function wrap(target: Record<string, Call>, name: string, before: (name: string) => void, after: () => void): void {
  const original = target[name];
  if (original === undefined) {
    throw new Error(`no ${name}`);
  }
  target[name] = async function (this: unknown, ...args: unknown[]) {
    before(name);
    const result = await original.apply(this, args);
    after();
    return result;
  };
}
