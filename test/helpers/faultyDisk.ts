import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Calls of `node:fs/promises` that take a path first. */
export type DiskCall = 'link' | 'lstat' | 'mkdir' | 'open' | 'readFile' | 'readdir' | 'realpath' | 'rename' | 'rm' | 'stat' | 'writeFile';

type AnyCall = (...args: unknown[]) => Promise<unknown>;

/** Makes a disk call fail with an error code for paths with this ending, the first `times`, while `action` runs. */
export async function withFaultyDisk<T>(
  name: DiskCall,
  code: string,
  pathEnd: string,
  action: () => Promise<T>,
  times = Number.POSITIVE_INFINITY,
): Promise<T> {
  const calls = fs.promises as unknown as Record<DiskCall, AnyCall>;
  const original = calls[name];
  let failed = 0;
  calls[name] = async (...args) => {
    if (String(args[0]).endsWith(pathEnd) && failed < times) {
      failed++;
      throw Object.assign(new Error(`${code}: on purpose, ${name} '${args[0]}'`), { code });
    }
    return await original.apply(fs.promises, args);
  };
  syncBuiltinESMExports();
  try {
    return await action();
  } finally {
    calls[name] = original;
    syncBuiltinESMExports();
  }
}
